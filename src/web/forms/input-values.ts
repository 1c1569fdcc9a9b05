import { defaultOf, type Field, type InputContract } from '#contract/task.ts';

/**
 * What the form holds, by field: as it goes over the wire, with null for a number or date that was emptied and undefined
 * for what was never chosen.
 */
export type Values = Readonly<Record<string, unknown>>;

/** A reference as it goes over the wire. */
export interface Reference {
  url: string;
  role?: string | null;
}

const blanks: { [K in Field['kind']]: unknown } = {
  text: '',
  choice: undefined,
  number: null,
  integer: null,
  boolean: false,
  datetime: null,
  reference: null,
  references: [],
};

/** How a field stands in an untouched form. */
export const initialValue = (field: Field): unknown => defaultOf(field) ?? blanks[field.kind];

export const initialValues = (contract: InputContract): Values =>
  Object.fromEntries(contract.fields.map((field) => [field.name, initialValue(field)]));

/** Values of which some may be missing or of no field, as a draft of an older version may be. */
export const valuesOver = (contract: InputContract, given: Values): Values =>
  Object.fromEntries(
    contract.fields.map((field) => [field.name, field.name in given ? given[field.name] : initialValue(field)]),
  );

const isReference = (value: unknown): value is Reference =>
  typeof value === 'object' && value !== null && 'url' in value && typeof value.url === 'string';

/** The references of a field's value, whichever kind of field it is. */
export const referencesOf = (value: unknown): Reference[] =>
  (Array.isArray(value) ? value : [value]).filter(isReference);

const onWire = ({ url, role }: Reference, with_role: boolean): Reference =>
  with_role && role?.trim() ? { url, role: role.trim() } : { url };

type ToWire = { [K in Field['kind']]: (field: Extract<Field, { kind: K }>, value: unknown) => unknown };
type NumberLike = Extract<Field, { kind: 'number' | 'integer' }>;

// An empty box means "left out" only where nothing would be put in its place unseen.
const number = (field: NumberLike, value: unknown) =>
  value === null && !field.nullable && field.default === undefined ? undefined : value;

const toWire: ToWire = {
  text: (_field, value) => value,
  choice: (_field, value) => value,
  number,
  integer: number,
  boolean: (_field, value) => value,
  datetime: (_field, value) => value,
  reference: (field, value) => {
    const [reference] = referencesOf(value);
    return reference ? onWire(reference, field.with_role) : field.nullable ? null : undefined;
  },
  references: (field, value) => {
    const items = referencesOf(value).map((item) => onWire(item, field.with_role));
    return items.length > 0 ? items : undefined;
  },
};

function wireValue<F extends Field>(field: F, value: unknown): unknown {
  // The table is exhaustive by type; the compiler cannot tie a key to its own entry inside a generic.
  return (toWire[field.kind] as (field: F, value: unknown) => unknown)(field, value);
}

/** The `input` of a request; not judged yet. */
export function toInput(contract: InputContract, values: Values): Record<string, unknown> {
  return Object.fromEntries(
    contract.fields.flatMap((field) => {
      const value = wireValue(field, values[field.name]);
      return value === undefined ? [] : [[field.name, value]];
    }),
  );
}

/** Whether a field holds something that the person would miss. */
export function isNotable(field: Field, value: unknown): boolean {
  if (field.kind === 'reference' || field.kind === 'references') return referencesOf(value).length > 0;
  return (value ?? null) !== (initialValue(field) ?? null);
}
