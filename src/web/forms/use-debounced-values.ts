import { useEffect, useState } from 'react';
import type { InputForm } from './values/input-form.ts';
import type { FormValues } from './values/form-values.ts';

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
