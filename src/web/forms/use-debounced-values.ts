import { useEffect, useState } from 'react';
import type { InputForm } from './input-form.ts';
import type { FormValues } from './form-values.ts';

const DEBOUNCE_MS = 150;

/** The form's values once they have not changed for a moment, so that typing does not render what depends on them. */
export function useDebouncedValues(form: InputForm): FormValues {
  const [settled, setSettled] = useState({ form, values: form.values() });
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const update = () => setSettled({ form, values: form.values() });
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
  return settled.form === form ? settled.values : form.values();
}
