import type { ReferenceFieldSpec, ReferencesFieldSpec } from '#contract/task.ts';
import { readPath } from '#web/forms/values/field-path.ts';
import { useField, useTaskForm, useFormValue, useFieldUploadItems } from '../form-context.ts';
import { type MediaReference, readReferences } from '#web/forms/values/form-values.ts';
import { maxReferenceCount } from '#web/forms/models/max-reference-count.ts';

export interface MediaItems {
  items: readonly MediaReference[];
  max: number;
  /** Number of references that can be added; may be negative. */
  room: number;
  setItems: (items: readonly MediaReference[]) => void;
  add: (urls: readonly string[]) => void;
}

export function useMediaItems(field: ReferenceFieldSpec | ReferencesFieldSpec): MediaItems {
  const { form } = useTaskForm();
  const { value, onChange, onBlur } = useField(field.name);
  const max = useFormValue((values) => maxReferenceCount(form.contract, values, field));
  const uploadCount = useFieldUploadItems(field.name).filter(({ problem }) => problem === null).length;
  const items = readReferences(value);
  const setItems = (next: readonly MediaReference[]) => onChange(field.kind === 'reference' ? (next[0] ?? null) : next);
  return {
    items,
    max,
    room: max - items.length - uploadCount,
    setItems,
    add: (urls) => {
      const current = readReferences(readPath(form.values(), field.name));
      setItems([...current, ...urls.map((url) => ({ url }))].slice(0, max));
      onBlur();
    },
  };
}
