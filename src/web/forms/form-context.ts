import { createContext, use, useCallback, useSyncExternalStore, type ComponentType, type RefObject } from 'react';
import type { FieldError } from 'react-hook-form';
import type { AnyModelId, TaskId } from '#contract/ids.ts';
import type { FieldSpec, Rule } from '#contract/task.ts';
import type { InputForm } from './values/input-form.ts';
import { findLockingRule } from './values/rule-repair.ts';
import { readPath } from './values/field-path.ts';
import type { FormValues } from './values/form-values.ts';
import type { FieldUploads } from './field-uploads.ts';
import type { UploadItem } from '#web/uploads/upload-store.ts';

export interface FormContextValue {
  form: InputForm;
  uploads: FieldUploads;
  signedIn: boolean;
  promptTools?: PromptTools | undefined;
}

/** Helps to write the prompt, below its field. Without it, references have a field for their role instead. */
export interface PromptTools {
  Component: ComponentType<{ field: string; box: RefObject<HTMLTextAreaElement | null>; target: PromptTarget }>;
  target: PromptTarget;
}

export interface PromptTarget {
  task: TaskId;
  model: AnyModelId | null;
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
    value: useSyncExternalStore(subscribe, () => readPath(form.values(), name)),
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

/** See `findLockingRule`. */
export function useLockingRule(field: FieldSpec): Rule | undefined {
  const { form } = useTaskForm();
  return useFormValue((values) => findLockingRule(form.contract, values, field));
}

export function useFieldUploadItems(field: string): readonly UploadItem[] {
  const { uploads } = useTaskForm();
  return useSyncExternalStore(uploads.subscribe, () => uploads.itemsOfField(field));
}
