import type { ReferenceFieldSpec, ReferencesFieldSpec } from '#contract/task.ts';
import { useField, useTaskForm, useFormValue, useFieldUploadItems } from '../form-context.ts';
import { type MediaReference, readReferences } from '../form-values.ts';
import { maxReferenceCount } from '../max-reference-count.ts';

export interface MediaItems {
  items: readonly MediaReference[];
  /** How many the field accepts with the form's current values. */
  max: number;
  /** How many more it accepts, after its uploads. */
  room: number;
  setItems: (items: readonly MediaReference[]) => void;
  /** Appends as many references as there is room for. */
  add: (urls: readonly string[]) => void;
}

/** Reads and changes a field of one or several references as a list. */
export function useMediaItems(field: ReferenceFieldSpec | ReferencesFieldSpec): MediaItems {
  const { form } = useTaskForm();
  const { value, onChange, onBlur } = useField(field.name);
  const max = useFormValue((values) => maxReferenceCount(form.contract, values, field));
  const coming = useFieldUploadItems(field.name).filter(({ problem }) => problem === null).length;
  const items = readReferences(value);
  const setItems = (next: readonly MediaReference[]) => onChange(field.kind === 'reference' ? (next[0] ?? null) : next);
  return {
    items,
    max,
    room: max - items.length - coming,
    setItems,
    add: (urls) => {
      const now = readReferences(form.values()[field.name]);
      setItems([...now, ...urls.map((url) => ({ url }))].slice(0, max));
      onBlur();
    },
  };
}
