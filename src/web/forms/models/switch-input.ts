import { isJson } from '#contract/json-value.ts';
import type { FieldSpec, InputContract, MediaKind, Scalar, NestedFieldSpec, SizeFieldSpec } from '#contract/task.ts';
import { formatReferenceCount, formatFieldValue } from '#web/forms/values/format-field-value.ts';
import {
  initialValues,
  isFilledIn,
  readList,
  readReferences,
  readRow,
  type FormValues,
} from '#web/forms/values/form-values.ts';
import { isRatioField, nearestOption, choiceOptions } from './compare-options.ts';
import { violatedRules, findRepair } from '#web/forms/values/rule-repair.ts';

export interface SwitchResult {
  values: FormValues;
  kept: string[];
  changed: { label: string; from: string; to: string }[];
  dropped: { label: string; value: string }[];
  /** What the form had before and has again. */
  restored: { label: string; value: string }[];
  /** Names of the fields that took a value, by those from which it came. */
  targets: Record<string, string>;
}

/** The form that somebody returns to. */
export interface EarlierForm {
  values: FormValues;
  /** Names of the fields that were changed since, on the form that is left. */
  edited: ReadonlySet<string>;
}

interface FittedValue {
  value: unknown;
  exact: boolean;
}

const exactFit = (value: unknown): FittedValue => ({ value, exact: true });
const toNumber = (value: unknown) => (typeof value === 'number' ? value : null);

function fitNumber(field: Extract<FieldSpec, { kind: 'number' | 'integer' }>, input: unknown): FittedValue | null {
  if (input === null && field.nullable) return exactFit(null);
  const number = toNumber(input);
  if (number === null) return null;
  const whole = field.kind === 'integer' ? Math.round(number) : number;
  const value = Math.min(field.max ?? Number.POSITIVE_INFINITY, Math.max(field.min ?? Number.NEGATIVE_INFINITY, whole));
  return { value, exact: value === number };
}

type FieldFitters = {
  [K in FieldSpec['kind']]: (field: Extract<FieldSpec, { kind: K }>, value: unknown) => FittedValue | null;
};

const FIELD_FITTERS: FieldFitters = {
  text: (_field, value) => (typeof value === 'string' || value === null ? exactFit(value ?? '') : null),
  choice: (field, value) => {
    if (choiceOptions(field).includes((value ?? null) as Scalar)) return exactFit(value);
    if (typeof value === 'string' && value.length <= (field.own_max_length ?? 0)) return exactFit(value);
    const nearest = nearestOption(field, value);
    return nearest === undefined ? null : { value: nearest, exact: false };
  },
  number: fitNumber,
  integer: fitNumber,
  boolean: ({ nullable }, value) =>
    typeof value === 'boolean' || (value === null && nullable) ? exactFit(value) : null,
  datetime: (_field, value) => (value === null || typeof value === 'string' ? exactFit(value) : null),
  size: (field, value) => (isSizeOf(field, value) ? exactFit(value) : null),
  group: (field, value) => {
    if (value === null) return field.nullable ? exactFit(null) : null;
    return typeof value === 'object' ? exactFit(fitRow(field.fields, value)) : null;
  },
  rows: ({ fields, max_items }, value) => {
    const rows = readList(value).map((row) => fitRow(fields, row));
    return { value: rows.slice(0, max_items), exact: rows.length <= max_items };
  },
  list: ({ item, max_items }, value) => {
    const all = readList(value);
    const items = all.flatMap((each) => fitValue(item, each)?.value ?? []);
    return { value: items.slice(0, max_items), exact: items.length === all.length && items.length <= max_items };
  },
  json: ({ keys, nullable }, value) => {
    if (value === null) return nullable ? exactFit(null) : null;
    return isJson(value) && Object.keys(value).every((key) => keys.includes(key)) ? exactFit(value) : null;
  },
  reference: (_field, value) => {
    const all = readReferences(value);
    return { value: all[0] ?? null, exact: all.length <= 1 };
  },
  references: (field, value) => {
    const all = readReferences(value);
    return { value: all.slice(0, field.max_items), exact: all.length <= field.max_items };
  },
};

const isSizeOf = ({ options, min, max }: SizeFieldSpec, value: unknown): boolean => {
  if (typeof value === 'string') return options.includes(value);
  const { width, height } = readRow(value);
  return [width, height].every((side) => typeof side === 'number' && side >= min && side <= max);
};

const fitRow = (fields: readonly NestedFieldSpec[], value: unknown): FormValues =>
  valuesFromInput({ fields, rules: [] }, readRow(value));

/** Adapts a value with the smallest change; null if it cannot fit. */
export function fitValue<F extends FieldSpec>(field: F, value: unknown): FittedValue | null {
  // The table is exhaustive by type; the compiler cannot connect a key to its entry inside a generic function.
  return (FIELD_FITTERS[field.kind] as (field: F, value: unknown) => FittedValue | null)(field, value);
}

const mediaOf = (field: FieldSpec): MediaKind | null => ('media' in field ? field.media : null);
const hasSameRole = (a: FieldSpec, b: FieldSpec) =>
  (isRatioField(a) && isRatioField(b)) ||
  (a.kind === 'text' && b.kind === 'text' && a.required === b.required) ||
  (mediaOf(a) !== null && mediaOf(a) === mediaOf(b) && a.kind === 'references' && b.kind === 'references');

export function findTargetField(
  from: FieldSpec,
  to: InputContract,
  sourceNames: ReadonlySet<string>,
): FieldSpec | undefined {
  const sameName = to.fields.find((field) => field.name === from.name && mediaOf(field) === mediaOf(from));
  return sameName ?? to.fields.find((field) => !sourceNames.has(field.name) && hasSameRole(from, field));
}

const formatValue = (field: FieldSpec, value: unknown) =>
  'media' in field ? formatReferenceCount(field.media, readReferences(value).length) : formatFieldValue(field, value);

const isSame = (a: unknown, b: unknown) => JSON.stringify(a ?? null) === JSON.stringify(b ?? null);

/**
 * Keeps the values that fit the other contract, adapts those that nearly fit and drops the rest.
 * @param earlier keeps its own values, except of fields that were changed since
 */
export function switchInput(
  from: InputContract,
  to: InputContract,
  values: FormValues,
  earlier?: EarlierForm,
): SwitchResult {
  const result: Record<string, unknown> = { ...initialValues(to), ...earlier?.values };
  const switched: SwitchResult = { values: result, kept: [], changed: [], dropped: [], restored: [], targets: {} };
  const restored = new Set(earlier ? to.fields : []);
  const sourceNames = new Set(from.fields.map(({ name }) => name));
  for (const source of from.fields) {
    const value = values[source.name];
    const target = findTargetField(source, to, sourceNames);
    const fitted = target ? fitValue(target, value) : null;
    if (target) switched.targets[source.name] = target.name;
    if (target && earlier && !earlier.edited.has(source.name)) {
      if (!fitted || !isSame(fitted.value, result[target.name])) {
        if (isFilledIn(source, value) && !isFilledIn(target, result[target.name]))
          switched.changed.push({
            label: target.label,
            from: formatValue(source, value),
            to: formatValue(target, result[target.name]),
          });
        continue;
      }
    }
    if (target) restored.delete(target);
    if (target && fitted) result[target.name] = fitted.value;
    if (target && fitted?.exact && isFilledIn(source, value)) switched.kept.push(target.label);
    else if (target && fitted && !fitted.exact)
      switched.changed.push({
        label: target.label,
        from: formatValue(source, value),
        to: formatValue(target, fitted.value),
      });
    else if (!fitted && isFilledIn(source, value))
      switched.dropped.push({ label: source.label, value: formatValue(source, value) });
  }
  for (const field of restored)
    if (isFilledIn(field, result[field.name]))
      switched.restored.push({ label: field.label, value: formatValue(field, result[field.name]) });
  for (const rule of violatedRules(to, result)) {
    const field = to.fields.find(({ name }) => name === rule.when.field);
    const repair = field ? findRepair(to, result, field.name, result[field.name]) : null;
    for (const [name, value] of Object.entries(repair ?? {})) {
      const changed = to.fields.find((each) => each.name === name);
      if (!changed) continue;
      switched.changed.push({
        label: changed.label,
        from: formatValue(changed, result[name]),
        to: formatValue(changed, value),
      });
      switched.kept = switched.kept.filter((label) => label !== changed.label);
      switched.restored = switched.restored.filter(({ label }) => label !== changed.label);
      result[name] = value;
    }
  }
  return switched;
}

/** Values that no longer fit are replaced by defaults. */
export function valuesFromInput(contract: InputContract, input: Readonly<Record<string, unknown>>): FormValues {
  const filled = contract.fields.flatMap((field) => {
    const fitted = Object.hasOwn(input, field.name) ? fitValue(field, input[field.name]) : null;
    return fitted ? [[field.name, fitted.value]] : [];
  });
  return { ...initialValues(contract), ...Object.fromEntries(filled) };
}
