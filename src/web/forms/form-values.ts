import { fieldDefault, type FieldSpec, type InputContract } from '#contract/task.ts';

/**
 * The values of a form by field name, in their wire format; null for an empty number or date, undefined for a choice that
 * was not made yet.
 */
export type FormValues = Readonly<Record<string, unknown>>;

/** A reference as it goes over the wire. */
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
  reference: null,
  references: [],
};

/** The value of a field in an untouched form. */
export const initialValue = (field: FieldSpec): unknown => fieldDefault(field) ?? BLANK_VALUES[field.kind];

export const initialValues = (contract: InputContract): FormValues =>
  Object.fromEntries(contract.fields.map((field) => [field.name, initialValue(field)]));

/** Completes values that may miss fields or have others, such as a draft of an older version. */
export const fillMissingValues = (contract: InputContract, values: FormValues): FormValues =>
  Object.fromEntries(
    contract.fields.map((field) => [field.name, field.name in values ? values[field.name] : initialValue(field)]),
  );

const isReference = (value: unknown): value is MediaReference =>
  typeof value === 'object' && value !== null && 'url' in value && typeof value.url === 'string';

/** Reads the value of a field of one or several references as a list. */
export const readReferences = (value: unknown): MediaReference[] =>
  (Array.isArray(value) ? value : [value]).filter(isReference);

const referenceToWire = ({ url, role }: MediaReference, with_role: boolean): MediaReference =>
  with_role && role?.trim() ? { url, role: role.trim() } : { url };

type WireEncoders = { [K in FieldSpec['kind']]: (field: Extract<FieldSpec, { kind: K }>, value: unknown) => unknown };
type NumberLike = Extract<FieldSpec, { kind: 'number' | 'integer' }>;

// An empty number is left out only when no default would silently replace it.
const numberToWire = (field: NumberLike, value: unknown) =>
  value === null && !field.nullable && field.default === undefined ? undefined : value;

const WIRE_ENCODERS: WireEncoders = {
  text: (_field, value) => value,
  choice: (_field, value) => value,
  number: numberToWire,
  integer: numberToWire,
  boolean: (_field, value) => value,
  datetime: (_field, value) => value,
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
  // The table is exhaustive by type; the compiler cannot tie a key to its own entry inside a generic.
  return (WIRE_ENCODERS[field.kind] as (field: F, value: unknown) => unknown)(field, value);
}

/** Converts values to the `input` of a request, without validating it. */
export function toInput(contract: InputContract, values: FormValues): Record<string, unknown> {
  return Object.fromEntries(
    contract.fields.flatMap((field) => {
      const value = toWireValue(field, values[field.name]);
      return value === undefined ? [] : [[field.name, value]];
    }),
  );
}

/** Whether a field holds something that a person would not want to lose. */
export function isFilledIn(field: FieldSpec, value: unknown): boolean {
  if (field.kind === 'reference' || field.kind === 'references') return readReferences(value).length > 0;
  return (value ?? null) !== (initialValue(field) ?? null);
}
