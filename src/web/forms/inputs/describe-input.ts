import type { AnyModelId, TaskId } from '#contract/ids.ts';
import type { Generation } from '#contract/resources/generation.ts';
import type { FieldSpec, MediaKind } from '#contract/task.ts';
import { inputContract } from '#web/api/known-models.ts';
import type { CatalogNames } from '#web/api/catalog-names.ts';
import { formatFieldValue } from '#web/forms/values/format-field-value.ts';
import { type MediaReference, readList, readReferences } from '#web/forms/values/form-values.ts';

export type InputRow = { name: string; label: string } & (
  | { kind: 'text'; text: string }
  | { kind: 'value'; text: string }
  | { kind: 'references'; media: MediaKind; items: readonly MediaReference[] }
);

type Input = Readonly<Record<string, unknown>>;

function toInputRow(field: FieldSpec, value: unknown): InputRow | null {
  const { name, label } = field;
  if (value === undefined || value === '') return null;
  if (field.kind === 'text') return value === null ? null : { name, label, kind: 'text', text: String(value) };
  if ('media' in field) {
    const items = readReferences(value);
    return items.length > 0 ? { name, label, kind: 'references', media: field.media, items } : null;
  }
  if ((field.kind === 'rows' || field.kind === 'list') && readList(value).length === 0) return null;
  const isEmpty = value === null && !('empty_label' in field && field.empty_label);
  return isEmpty ? null : { name, label, kind: 'value', text: formatFieldValue(field, value) };
}

export const describeInput = (task: TaskId, model: AnyModelId | null, input: Input): InputRow[] =>
  describeFields(inputContract(task, model)?.fields ?? [], input);

/** Rows in the order of the form, without empty values. Values that match no field follow unformatted. */
export function describeFields(fields: readonly FieldSpec[], input: Input): InputRow[] {
  const names = new Set(fields.map(({ name }) => name));
  const known = fields.flatMap((field) => toInputRow(field, input[field.name]) ?? []);
  const unknown = Object.entries(input)
    .filter(([name, value]) => !names.has(name) && value !== null && value !== undefined)
    .map(([name, value]): InputRow => {
      const text = typeof value === 'string' ? value : JSON.stringify(value);
      return { name, label: name.replaceAll('_', ' '), kind: 'value', text };
    });
  return [...known, ...unknown];
}

/** The task; the model where the task only says that another model runs. */
export const workName = (work: { task: TaskId; model: AnyModelId | null }, names: CatalogNames): string =>
  work.task === 'other.run' ? names.modelOrTask(work) : names.task(work.task);

interface Titled {
  task: TaskId;
  model: AnyModelId | null;
  input: Input;
}

/** The prompt or query; else the task. Settings are no title: see `describeInput`. */
export function summarizeInput({ task, model, input }: Titled, names: CatalogNames): string {
  const text = describeInput(task, model, input).find((row) => row.kind === 'text');
  return text?.text ?? workName({ task, model }, names);
}

/** The name of its result, which people gave or which follows from its source; until then and else what it was asked. */
export const workTitle = (
  work: Titled & { output?: Pick<Generation['output'], 'assets'> },
  names: CatalogNames,
): string =>
  work.output?.assets.find(({ name, removed_at }) => name && !removed_at)?.name ?? summarizeInput(work, names);
