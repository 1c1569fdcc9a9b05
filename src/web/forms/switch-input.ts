import type { Field, InputContract, MediaKind, Scalar } from '#contract/task.ts';
import { countOf, valueWords } from '#web/forms/field-words.ts';
import { initialValues, isNotable, referencesOf, type Values } from '#web/forms/input-values.ts';
import { isRatio, nearestOption, optionsOf } from '#web/forms/option-measure.ts';
import { brokenRules, repairFor } from '#web/forms/rule-repair.ts';

/** What became of a filled-in form when it was taken to another contract. */
export interface Switched {
  values: Values;
  /** Labels of fields that hold what they held. */
  kept: string[];
  changed: { label: string; from: string; to: string }[];
  dropped: { label: string; value: string }[];
}

interface Fitted {
  value: unknown;
  exact: boolean;
}

const exactly = (value: unknown): Fitted => ({ value, exact: true });
const numberFrom = (value: unknown) => (typeof value === 'number' ? value : null);

function fitNumber(field: Extract<Field, { kind: 'number' | 'integer' }>, given: unknown): Fitted | null {
  if (given === null && field.nullable) return exactly(null);
  const number = numberFrom(given);
  if (number === null) return null;
  const whole = field.kind === 'integer' ? Math.round(number) : number;
  const value = Math.min(field.max ?? Number.POSITIVE_INFINITY, Math.max(field.min, whole));
  return { value, exact: value === number };
}

type Fit = { [K in Field['kind']]: (field: Extract<Field, { kind: K }>, value: unknown) => Fitted | null };

const fits: Fit = {
  text: (_field, value) => (typeof value === 'string' ? exactly(value) : null),
  choice: (field, value) => {
    if (optionsOf(field).includes((value ?? null) as Scalar)) return exactly(value);
    const nearest = nearestOption(field, value);
    return nearest === undefined ? null : { value: nearest, exact: false };
  },
  number: fitNumber,
  integer: fitNumber,
  boolean: (_field, value) => (typeof value === 'boolean' ? exactly(value) : null),
  datetime: (_field, value) => (value === null || typeof value === 'string' ? exactly(value) : null),
  reference: (_field, value) => {
    const all = referencesOf(value);
    return { value: all[0] ?? null, exact: all.length <= 1 };
  },
  references: (field, value) => {
    const all = referencesOf(value);
    return { value: all.slice(0, field.max_items), exact: all.length <= field.max_items };
  },
};

/** A value made to fit a field, the least change; null where nothing of it fits. */
export function fit<F extends Field>(field: F, value: unknown): Fitted | null {
  // The table is exhaustive by type; the compiler cannot tie a key to its own entry inside a generic.
  return (fits[field.kind] as (field: F, value: unknown) => Fitted | null)(field, value);
}

const mediaOf = (field: Field): MediaKind | null => ('media' in field ? field.media : null);
const sameRole = (a: Field, b: Field) =>
  (isRatio(a) && isRatio(b)) ||
  (a.kind === 'text' && b.kind === 'text') ||
  (mediaOf(a) !== null && mediaOf(a) === mediaOf(b) && a.kind === 'references' && b.kind === 'references');

/** The field of another contract that takes what a field holds; undefined where none does. */
export function targetOf(from: Field, to: InputContract, taken: ReadonlySet<string>): Field | undefined {
  const named = to.fields.find((field) => field.name === from.name && mediaOf(field) === mediaOf(from));
  return named ?? to.fields.find((field) => !taken.has(field.name) && sameRole(from, field));
}

const inWords = (field: Field, value: unknown) =>
  'media' in field ? countOf(field.media, referencesOf(value).length) : valueWords(field, value);

/** Takes what a form holds to another contract: keeps what fits, changes what nearly does, and says which is which. */
export function switchInput(from: InputContract, to: InputContract, values: Values): Switched {
  const result: Record<string, unknown> = { ...initialValues(to) };
  const switched: Switched = { values: result, kept: [], changed: [], dropped: [] };
  const taken = new Set(from.fields.map(({ name }) => name));
  for (const source of from.fields) {
    const value = values[source.name];
    const target = targetOf(source, to, taken);
    const fitted = target ? fit(target, value) : null;
    if (target && fitted) result[target.name] = fitted.value;
    if (target && fitted?.exact && isNotable(source, value)) switched.kept.push(target.label);
    else if (target && fitted && !fitted.exact)
      switched.changed.push({ label: target.label, from: inWords(source, value), to: inWords(target, fitted.value) });
    else if (!fitted && isNotable(source, value))
      switched.dropped.push({ label: source.label, value: inWords(source, value) });
  }
  for (const rule of brokenRules(to, result)) {
    const field = to.fields.find(({ name }) => name === rule.when.field);
    const repair = field ? repairFor(to, result, field.name, result[field.name]) : null;
    for (const [name, value] of Object.entries(repair ?? {})) {
      const changed = to.fields.find((each) => each.name === name);
      if (!changed) continue;
      switched.changed.push({
        label: changed.label,
        from: inWords(changed, result[name]),
        to: inWords(changed, value),
      });
      switched.kept = switched.kept.filter((label) => label !== changed.label);
      result[name] = value;
    }
  }
  return switched;
}

/** A form filled in from a stored input; what no longer fits takes its default. */
export function valuesFromInput(contract: InputContract, input: Readonly<Record<string, unknown>>): Values {
  const filled = contract.fields.flatMap((field) => {
    const fitted = field.name in input ? fit(field, input[field.name]) : null;
    return fitted ? [[field.name, fitted.value]] : [];
  });
  return { ...initialValues(contract), ...Object.fromEntries(filled) };
}
