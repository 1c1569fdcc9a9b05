import { useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import { localServiceOrigin } from '#web/api/reference-info.ts';
import type { InputForm } from './values/input-form.ts';
import type { FormValues } from './values/form-values.ts';
import { type PriceableInput, toPriceableBlank, toPriceableInput } from './values/priceable-input.ts';
import { loadedValidator, onValidatorLoad } from './values/validator.ts';

const DEBOUNCE_MS = 150;

/** Debounced, so that typing does not render everything that depends on the values. */
export function useDebouncedValues(form: InputForm): FormValues {
  const [debounced, setDebounced] = useState({ form, values: form.values() });
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const update = () => setDebounced({ form, values: form.values() });
    update();
    const stop = form.subscribe(() => {
      clearTimeout(timer);
      timer = setTimeout(update, DEBOUNCE_MS);
    });
    return () => {
      clearTimeout(timer);
      stop();
    };
  }, [form]);
  return debounced.form === form ? debounced.values : form.values();
}

/** What a form would cost, as far as it is filled in. */
export function usePriceableInput(form: InputForm): { values: FormValues; priced: PriceableInput } {
  const values = useDebouncedValues(form);
  const validate = useSyncExternalStore(onValidatorLoad, loadedValidator);
  const priced = useMemo(
    () =>
      validate
        ? toPriceableInput(validate, form.contract, values, localServiceOrigin())
        : toPriceableBlank(form.contract, values),
    [validate, form, values],
  );
  return { values, priced };
}
