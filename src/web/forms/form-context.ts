import { createContext, use, useCallback, useSyncExternalStore } from 'react';
import type { FieldError } from 'react-hook-form';
import type { InputForm } from './input-form.ts';
import type { FormValues } from './form-values.ts';
import type { FieldUploads } from './field-uploads.ts';
import type { UploadItem } from '#web/uploads/upload-store.ts';

export interface FormContextValue {
  form: InputForm;
  uploads: FieldUploads;
  signed_in: boolean;
}

export const FormContext = createContext<FormContextValue | null>(null);

export function useTaskForm(): FormContextValue {
  const context = use(FormContext);
  if (!context) throw new Error('A field needs a TaskForm around it.');
  return context;
}

interface FieldController {
  value: unknown;
  error: FieldError | undefined;
  onChange: (value: unknown) => void;
  onBlur: () => void;
}

/** Unlike `useController`, this renders a field only when its value or error changes, not when any field is validated. */
export function useField(name: string): FieldController {
  const { form } = useTaskForm();
  const subscribe = useCallback((listener: () => void) => form.subscribeField(name, listener), [form, name]);
  return {
    value: useSyncExternalStore(subscribe, () => form.values()[name]),
    error: useSyncExternalStore(subscribe, () => form.error(name)),
    onChange: (value) => form.setValue(name, value),
    onBlur: () => form.touch(name),
  };
}

/** @param select returns a primitive or a stable object */
export function useFormValue<T>(select: (values: FormValues) => T): T {
  const { form } = useTaskForm();
  return useSyncExternalStore(form.subscribe, () => select(form.values()));
}

export function useFieldUploadItems(field: string): readonly UploadItem[] {
  const { uploads } = useTaskForm();
  return useSyncExternalStore(uploads.subscribe, () => uploads.itemsOfField(field));
}
