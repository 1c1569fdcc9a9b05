import { createContext, use, useSyncExternalStore } from 'react';
import type { FieldState, FormState } from '#web/forms/form-state.ts';
import type { Values } from '#web/forms/input-values.ts';
import type { UploadTray } from '#web/forms/upload-tray.ts';
import type { Sending } from '#web/uploads/sendings.ts';

export interface FormTools {
  form: FormState;
  tray: UploadTray;
  /** Uploads and earlier results need a key. */
  signed_in: boolean;
}

export const FormContext = createContext<FormTools | null>(null);

/** The form around. */
export function useForm(): FormTools {
  const tools = use(FormContext);
  if (!tools) throw new Error('A field stands outside of a TaskForm.');
  return tools;
}

/** A field's value and problems; the component renders when these change and at no other time. */
export function useField(name: string): FieldState {
  const { form } = useForm();
  return useSyncExternalStore(form.subscribe, () => form.field(name));
}

/** Something worked out from the whole form: a primitive or a value that stays the same object. */
export function useFormValue<T>(select: (values: Values) => T): T {
  const { form } = useForm();
  return useSyncExternalStore(form.subscribe, () => select(form.values()));
}

/** The files on their way to a field. */
export function useSendings(field: string): readonly Sending[] {
  const { tray } = useForm();
  return useSyncExternalStore(tray.subscribe, () => tray.of(field));
}
