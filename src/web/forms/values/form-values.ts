import {
  fieldDefault,
  type FieldSpec,
  type InputContract,
  type ListFieldSpec,
  type NestedFieldSpec,
  type RowsFieldSpec,
  type Scalar,
} from '#contract/task.ts';
import { choiceOptions, sortByNearness } from '#web/forms/models/compare-options.ts';
import { unconditionalRules } from '#web/forms/models/supported-contract.ts';

/** Values by field name in their wire format; null for an empty number or date, undefined for an unset choice. */
export type FormValues = Readonly<Record<string, unknown>>;

export interface MediaReference {
  url: string;
  role?: string | null;
}

const BLANK_VALUES: { [K in FieldSpec['kind']]: unknown } = {
  text: '',
  choice: undefined,
  number: null,
  integer: null,
  boolean: false,
  datetime: null,
  size: undefined,
  group: null,
  rows: [],
  list: [],
  json: null,
  reference: null,
  references: [],
};

const preselected = (field: FieldSpec) => (field.kind === 'choice' ? field.preselected : undefined);

export function initialValue(field: FieldSpec): unknown {
  if (field.kind === 'group' && field.required) return blankRow(field.fields);
  if (field.kind === 'boolean') return field.default;
  return fieldDefault(field) ?? preselected(field) ?? BLANK_VALUES[field.kind];
}

/** An object of simple fields as a form starts with it. */
export const blankRow = (fields: readonly NestedFieldSpec[]): FormValues =>
  Object.fromEntries(fields.map((field) => [field.name, initialValue(field)]));

/** The values inside of a group or a row. */
export const readRow = (value: unknown): FormValues =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as FormValues) : {};

export const readList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** The default, or the nearest value that the rules for every input allow. */
function supportedInitialValue(contract: InputContract, field: FieldSpec): unknown {
  const value = initialValue(field);
  if (value === undefined || (field.kind !== 'choice' && field.kind !== 'boolean')) return value;
  const rules = unconditionalRules(contract, field.name);
  if (rules.length === 0) return value;
  const isAllowed = (option: Scalar) => rules.every((rule) => !('allow' in rule) || rule.allow.includes(option));
  const options =
    field.kind === 'choice' ? sortByNearness(choiceOptions(field), value) : [value === true, value !== true];
  return options.find(isAllowed) ?? value;
}

export const initialValues = (contract: InputContract): FormValues =>
  Object.fromEntries(contract.fields.map((field) => [field.name, supportedInitialValue(contract, field)]));

/** A draft of an older version may lack fields or have others. */
export const fillMissingValues = (contract: InputContract, values: FormValues): FormValues =>
  Object.fromEntries(
    contract.fields.map((field) => [
      field.name,
      Object.hasOwn(values, field.name) ? values[field.name] : initialValue(field),
    ]),
  );

const isReference = (value: unknown): value is MediaReference =>
  typeof value === 'object' && value !== null && 'url' in value && typeof value.url === 'string';

export const readReferences = (value: unknown): MediaReference[] =>
  (Array.isArray(value) ? value : [value]).filter(isReference);

const referenceToWire = ({ url, role }: MediaReference, withRole: boolean): MediaReference =>
  withRole && role?.trim() ? { url, role: role.trim() } : { url };

type WireEncoders = { [K in FieldSpec['kind']]: (field: Extract<FieldSpec, { kind: K }>, value: unknown) => unknown };
type NumberLike = Extract<FieldSpec, { kind: 'number' | 'integer' }>;

// An omitted number would be replaced by its default.
const numberToWire = (field: NumberLike, value: unknown) =>
  value === null && !field.nullable && field.default === undefined ? undefined : value;

const WIRE_ENCODERS: WireEncoders = {
  text: ({ nullable }, value) => (nullable && typeof value === 'string' && value.trim() === '' ? null : value),
  choice: (_field, value) => value,
  number: numberToWire,
  integer: numberToWire,
  boolean: (_field, value) => value,
  datetime: (_field, value) => value,
  size: (_field, value) => value,
  group: ({ fields, nullable }, value) => {
    if (value !== null) return toWireFields(fields, readRow(value));
    return nullable ? null : undefined;
  },
  rows: (field, value) =>
    nonEmpty(
      field,
      readList(value).map((row) => toWireFields(field.fields, readRow(row))),
    ),
  list: (field, value) =>
    nonEmpty(
      field,
      readList(value).filter((item) => item !== '' && item !== null),
    ),
  // What is no JSON yet stays a text, which the validator rejects.
  json: ({ nullable }, value) => value ?? (nullable ? null : undefined),
  reference: (field, value) => {
    const [reference] = readReferences(value);
    return reference ? referenceToWire(reference, field.with_role) : field.nullable ? null : undefined;
  },
  references: (field, value) => {
    const items = readReferences(value).map((item) => referenceToWire(item, field.with_role));
    return items.length > 0 ? items : undefined;
  },
};

function toWireValue<F extends FieldSpec>(field: F, value: unknown): unknown {
  // The table is exhaustive by type; the compiler cannot connect a key to its entry inside a generic function.
  return (WIRE_ENCODERS[field.kind] as (field: F, value: unknown) => unknown)(field, value);
}

/** An omitted list would be replaced by its default; one that was emptied is null where it can be. */
function nonEmpty({ default: preset, nullable }: RowsFieldSpec | ListFieldSpec, items: readonly unknown[]) {
  if (items.length > 0) return items;
  if (preset === undefined || preset === null) return undefined;
  return nullable && preset.length > 0 ? null : items;
}

const toWireFields = (fields: readonly FieldSpec[], values: FormValues): Record<string, unknown> =>
  Object.fromEntries(
    fields.flatMap((field) => {
      const value = toWireValue(field, values[field.name]);
      return value === undefined ? [] : [[field.name, value]];
    }),
  );

export const toInput = ({ fields }: InputContract, values: FormValues): Record<string, unknown> =>
  toWireFields(fields, values);

/** Whether the value differs from an untouched form. */
export function isFilledIn(field: FieldSpec, value: unknown): boolean {
  if (field.kind === 'reference' || field.kind === 'references') return readReferences(value).length > 0;
  const isSimpleList = (field.kind === 'rows' || field.kind === 'list') && field.default === undefined;
  if (isSimpleList) return readList(value).length > 0;
  if (typeof value === 'object' && value !== null)
    return JSON.stringify(value ?? null) !== JSON.stringify(initialValue(field));
  return (value ?? null) !== (initialValue(field) ?? null);
}
