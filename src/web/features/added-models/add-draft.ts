import { useCallback, useState } from 'react';
import type { TaskId } from '#contract/ids.ts';
import type { ModelInspection, ModelSource } from '#contract/resources/added-model.ts';
import type { FieldSpec, InputContract } from '#contract/task.ts';
import { createDraftStorage } from '#web/api/drafts/draft-storage.ts';
import { type FormValues, initialValues } from '#web/forms/values/form-values.ts';
import { BLANK_PRICE, type PriceValues, toPriceValues } from './price/price-values.ts';

export interface ConfirmedValues {
  name: string;
  description: string;
  task: TaskId;
  price: PriceValues;
  markup: string;
}

/** What somebody typed to add a model. Changed values of `confirmed` alone, so that the others follow the provider. */
export interface AddDraft {
  providerId: string | null;
  address: string;
  workflow: string;
  kind: NonNullable<ModelSource['kind']>;
  /** What the form is shown of; null: of nothing yet. */
  source: ModelSource | null;
  confirmed: Partial<ConfirmedValues>;
}

const BLANK: AddDraft = { providerId: null, address: '', workflow: '', kind: 'image', source: null, confirmed: {} };
const KEY = 'new';

const drafts = createDraftStorage<AddDraft>('add-model', 1);
const formDrafts = createDraftStorage<FormValues>('add-model-form', 1);

export function useAddDraft() {
  const [draft, setDraft] = useState<AddDraft>(() => drafts.get(KEY) ?? BLANK);
  const change = useCallback((next: Partial<AddDraft>) => {
    setDraft((current) => {
      const changed = { ...current, ...next };
      drafts.set(KEY, changed);
      return changed;
    });
  }, []);
  const clear = () => {
    drafts.delete(KEY);
    formDrafts.delete(KEY);
  };
  return { draft, change, clear };
}

export const saveFormDraft = (values: FormValues): void => formDrafts.set(KEY, values);

/** Values of the form of before that still fit. */
export function readFormDraft(contract: InputContract): FormValues {
  const stored = formDrafts.get(KEY) ?? {};
  const fitting = contract.fields.filter((field) => fits(field, stored[field.name]));
  return { ...initialValues(contract), ...Object.fromEntries(fitting.map(({ name }) => [name, stored[name]])) };
}

function fits(field: FieldSpec, value: unknown): boolean {
  if (value === undefined || value === null) return false;
  if (field.kind === 'text') return typeof value === 'string';
  if (field.kind === 'choice')
    return field.own_max_length !== undefined || field.options.some((option) => option === value);
  if (field.kind === 'number' || field.kind === 'integer') return typeof value === 'number';
  if (field.kind === 'boolean') return typeof value === 'boolean';
  if (field.kind === 'references' || field.kind === 'rows' || field.kind === 'list') return Array.isArray(value);
  return field.kind === 'reference' && typeof value === 'object' && 'url' in value;
}

/** What is confirmed before anything was changed. */
export const suggestedValues = ({ name, description, suggested }: ModelInspection): ConfirmedValues => ({
  name,
  description: cut(description ?? ''),
  task: suggested.task,
  price: suggested.price ? toPriceValues(suggested.price) : BLANK_PRICE,
  markup: '0',
});

const MAX_DESCRIPTION_CHARACTERS = 160;

/** The first sentences that fit. */
function cut(text: string): string {
  if (text.length <= MAX_DESCRIPTION_CHARACTERS) return text;
  const start = text.slice(0, MAX_DESCRIPTION_CHARACTERS);
  const end = start.lastIndexOf('. ');
  return end > 0 ? start.slice(0, end + 1) : `${start.slice(0, start.lastIndexOf(' '))}…`.slice(0, 160);
}
