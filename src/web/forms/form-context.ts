import { createContext, use, useSyncExternalStore } from 'react';
import type { FieldState, FormState } from './form-state.ts';
import type { FormValues } from './form-values.ts';
import type { FieldUploads } from './field-uploads.ts';
import type { UploadItem } from '#web/uploads/upload-store.ts';

export interface FormContextValue {
  form: FormState;
  tray: FieldUploads;
  /** Uploads and earlier results need a key. */
  signed_in: boolean;
}

export const FormContext = createContext<FormContextValue | null>(null);

/** The form around. */
export function useTaskForm(): FormContextValue {
  const tools = use(FormContext);
  if (!tools) throw new Error('A field stands outside of a TaskForm.');
  return tools;
}

/** A field's value and problems; the component renders when these change and at no other time. */
export function useFieldState(name: string): FieldState {
  const { form } = useTaskForm();
  return useSyncExternalStore(form.subscribe, () => form.field(name));
}

/** Something worked out from the whole form: a primitive or a value that stays the same object. */
export function useFormValue<T>(select: (values: FormValues) => T): T {
  const { form } = useTaskForm();
  return useSyncExternalStore(form.subscribe, () => select(form.values()));
}

/** The files on their way to a field. */
export function useFieldUploadItems(field: string): readonly UploadItem[] {
  const { tray } = useTaskForm();
  return useSyncExternalStore(tray.subscribe, () => tray.itemsOfField(field));
}
