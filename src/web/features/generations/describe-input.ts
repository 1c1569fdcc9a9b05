import { inputContract } from '#contract/catalog.ts';
import type { ModelId, TaskId } from '#contract/ids.ts';
import type { Field, MediaKind } from '#contract/task.ts';

export interface Reference {
  url: string;
  role: string | null;
}

/** One line of an input as a person reads it. */
export type InputRow = { name: string; label: string } & (
  | { kind: 'text'; text: string }
  | { kind: 'value'; text: string }
  | { kind: 'references'; media: MediaKind; items: Reference[] }
);

type Content = { kind: 'text' | 'value'; text: string } | { kind: 'references'; media: MediaKind; items: Reference[] };
type Describe<F> = (field: F, value: unknown) => Content | null;

const moment = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short' });
const withUnit = (text: string, unit: string | undefined) => {
  if (unit === undefined) return text;
  return unit === '×' ? `${text}${unit}` : `${text} ${unit}`;
};
const value = (text: string | undefined): Content | null => (text ? { kind: 'value', text } : null);

function isReference(item: unknown): item is { url: string; role?: unknown } {
  return typeof item === 'object' && item !== null && 'url' in item && typeof item.url === 'string';
}

/** The references of a value: one, several or none. */
export function referencesIn(input: unknown): Reference[] {
  const list: unknown[] = Array.isArray(input) ? input : [input];
  return list
    .filter(isReference)
    .map(({ url, role }) => ({ url, role: typeof role === 'string' && role !== '' ? role : null }));
}

const references: Describe<{ media: MediaKind }> = ({ media }, given) => {
  const items = referencesIn(given);
  return items.length > 0 ? { kind: 'references', media, items } : null;
};

const number: Describe<Extract<Field, { kind: 'number' | 'integer' }>> = (field, given) =>
  typeof given === 'number' ? value(withUnit(given.toLocaleString('en-US'), field.unit)) : value(field.empty_label);

const describers: { [K in Field['kind']]: Describe<Extract<Field, { kind: K }>> } = {
  text: (_field, given) => (typeof given === 'string' && given !== '' ? { kind: 'text', text: given } : null),
  choice: (field, given) => {
    const key = typeof given === 'string' || typeof given === 'number' ? String(given) : '';
    return value(field.option_labels?.[key] ?? withUnit(key, key ? field.unit : undefined));
  },
  number,
  integer: number,
  boolean: (_field, given) => value(given === true ? 'Yes' : 'No'),
  datetime: (_field, given) =>
    typeof given === 'string' && !Number.isNaN(Date.parse(given)) ? value(moment.format(new Date(given))) : null,
  reference: references,
  references,
};

function describe<F extends Field>(field: F, given: unknown): Content | null {
  // The table is exhaustive by type; the compiler cannot tie a key to its own entry inside a generic.
  return (describers[field.kind] as Describe<F>)(field, given);
}

/**
 * An input in words, in the order of the form: labels and options as the contract names them. What is not set is left out;
 * a field that the contract does not know is shown as it is.
 */
export function describeInput(
  task: TaskId,
  model: ModelId | null,
  input: Readonly<Record<string, unknown>>,
): InputRow[] {
  const fields = inputContract(task, model)?.fields ?? [];
  const known = fields.flatMap((field) => {
    const content = describe(field, input[field.name]);
    return content ? [{ name: field.name, label: field.label, ...content }] : [];
  });
  const names = new Set(fields.map(({ name }) => name));
  const unknown = Object.entries(input)
    .filter(([name, given]) => !names.has(name) && given !== null && given !== undefined)
    .map(([name, given]) => ({
      name,
      label: name.replaceAll('_', ' '),
      kind: 'value' as const,
      text: typeof given === 'string' ? given : JSON.stringify(given),
    }));
  return [...known, ...unknown];
}

/** What a row of the list says: the prompt or query, else a word on what goes in. */
export function summaryOf(task: TaskId, model: ModelId | null, input: Readonly<Record<string, unknown>>): string {
  const rows = describeInput(task, model, input);
  const text = rows.find((row) => row.kind === 'text');
  if (text) return text.text;
  const values = rows.flatMap((row) => {
    if (row.kind === 'references') return `${row.label}${row.items.length > 1 ? ` × ${row.items.length}` : ''}`;
    return row.text ? `${row.label} ${row.text}` : [];
  });
  return values.join(', ');
}
