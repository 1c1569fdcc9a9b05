import { createContext, use, useCallback, useSyncExternalStore } from 'react';
import type { FieldError } from 'react-hook-form';
import type { InputForm } from './input-form.ts';
import type { FormValues } from './form-values.ts';
import type { FieldUploads } from './field-uploads.ts';
import type { UploadItem } from '#web/uploads/upload-store.ts';

export interface FormContextValue {
  form: InputForm;
  tray: FieldUploads;
  /** Uploads and earlier results need a key. */
  signed_in: boolean;
}

export const FormContext = createContext<FormContextValue | null>(null);

/** Returns the form around a field. */
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

/**
 * Connects a field to the form around it. Renders only when the field's own value or error changes; `useController`
 * would render every field whenever any field is validated.
 */
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

/** Derives something from all values of the form: a primitive, or an object that stays the same. */
export function useFormValue<T>(select: (values: FormValues) => T): T {
  const { form } = useTaskForm();
  return useSyncExternalStore(form.subscribe, () => select(form.values()));
}

/** The files on their way to a field. */
export function useFieldUploadItems(field: string): readonly UploadItem[] {
  const { tray } = useTaskForm();
  return useSyncExternalStore(tray.subscribe, () => tray.itemsOfField(field));
}
