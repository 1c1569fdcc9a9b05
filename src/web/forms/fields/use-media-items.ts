import type { ReferenceField, ReferencesField } from '#contract/task.ts';
import { useField, useForm, useFormValue, useSendings } from '#web/forms/form-context.ts';
import { type Reference, referencesOf } from '#web/forms/input-values.ts';
import { mostItems } from '#web/forms/most-items.ts';

export interface MediaItems {
  items: readonly Reference[];
  /** How many the field takes as the form stands. */
  max: number;
  /** How many more may come, files on their way counted. */
  room: number;
  setItems: (items: readonly Reference[]) => void;
  /** Adds references at the end, as many as there is room for. */
  add: (urls: readonly string[]) => void;
}

/** A field of one or several references, as a list. */
export function useMediaItems(field: ReferenceField | ReferencesField): MediaItems {
  const { form } = useForm();
  const { value } = useField(field.name);
  const max = useFormValue((values) => mostItems(form.contract, values, field));
  const coming = useSendings(field.name).filter(({ problem }) => problem === null).length;
  const items = referencesOf(value);
  const setItems = (next: readonly Reference[]) =>
    form.set(field.name, field.kind === 'reference' ? (next[0] ?? null) : next);
  return {
    items,
    max,
    room: max - items.length - coming,
    setItems,
    add: (urls) => {
      const now = referencesOf(form.values()[field.name]);
      setItems([...now, ...urls.map((url) => ({ url }))].slice(0, max));
      form.leave(field.name);
    },
  };
}
