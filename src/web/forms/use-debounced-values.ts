import { useEffect, useState } from 'react';
import type { InputForm } from './input-form.ts';
import type { FormValues } from './form-values.ts';

const DEBOUNCE_MS = 150;

/** The form's values, once nothing has changed for a moment: typing does not touch what hangs on them. */
export function useDebouncedValues(form: InputForm): FormValues {
  const [settled, setSettled] = useState({ form, values: form.values() });
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const take = () => setSettled({ form, values: form.values() });
    take();
    const stop = form.subscribe(() => {
      clearTimeout(timer);
      timer = setTimeout(take, DEBOUNCE_MS);
    });
    return () => {
      clearTimeout(timer);
      stop();
    };
  }, [form]);
  return settled.form === form ? settled.values : form.values();
}
