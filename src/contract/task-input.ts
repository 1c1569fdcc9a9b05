import type { TASKS } from './catalog.ts';
import type { ModelId, TaskId } from './ids.ts';
import { isJson, property } from './json-value.ts';
import type { FieldSpec, InputContract, MaskSpec, MediaKind, Size } from './task.ts';

type Tasks = typeof TASKS;

type ReferenceValue<Field> = Field extends { with_role: true } ? { url: string; role: string | null } : { url: string };

interface ValuesByKind<Field> {
  text: string;
  choice: Field extends { options: readonly (infer Option)[] } ? Option : never;
  number: number;
  integer: number;
  boolean: boolean;
  datetime: string;
  size: string | Size;
  group: Field extends { fields: readonly (infer Nested)[] } ? InputOfFields<Nested> : never;
  rows: readonly Readonly<Record<string, unknown>>[];
  list: readonly (string | number)[];
  json: Readonly<Record<string, unknown>>;
  reference: ReferenceValue<Field>;
  references: ReferenceValue<Field>[];
}

type FieldValue<Field> =
  | (Field extends { kind: infer Kind extends keyof ValuesByKind<Field> } ? ValuesByKind<Field>[Kind] : never)
  | (Field extends { nullable: true } ? null : never);

/** Fields that an accepted input always has: required ones, those with a default, and choices that the caller must make. */
type PresentField<Field> = Field extends
  | { required: true }
  | { default: unknown }
  | { kind: 'reference'; nullable: true }
  | { kind: 'choice' }
  ? Field
  : never;

type Named<Field> = Field extends { name: infer Name extends string } ? Name : never;
type FieldNamed<Field, Name> = Field extends { name: Name } ? Field : never;

type InputOfFields<Field> = {
  readonly [Name in Named<PresentField<Field>>]: FieldValue<FieldNamed<Field, Name>>;
} & {
  readonly [Name in Exclude<Named<Field>, Named<PresentField<Field>>>]?: FieldValue<FieldNamed<Field, Name>>;
};

type InputOfContract<Contract> = Contract extends { fields: readonly (infer Field)[] } ? InputOfFields<Field> : never;

/** The models of a task; null for a task without models. */
export type ModelOf<Task extends TaskId> = Tasks[Task] extends { models: infer Models } ? keyof Models & ModelId : null;

/** One member per model, so that the values of one input stay together. */
type InputOfModel<Task extends TaskId, Model> = Task extends TaskId
  ? Tasks[Task] extends { models: infer Models }
    ? Model extends keyof Models
      ? InputOfContract<Models[Model]>
      : never
    : Tasks[Task] extends { input: infer Contract }
      ? InputOfContract<Contract>
      : never
  : never;

type KeyOfUnion<Union> = Union extends unknown ? keyof Union : never;
/** Members of a union with the keys of the others as undefined, so that each key can be read without narrowing. */
type WithAllKeys<Union, Key extends PropertyKey = KeyOfUnion<Union>> = Union extends unknown
  ? Union & { readonly [Name in Exclude<Key, keyof Union>]?: undefined }
  : never;

/**
 * The input of a task as `parseInput` returns it: validated, defaults filled in. Derived from the field definitions.
 * For several tasks or models it is a union in which a field that one of them lacks reads as undefined.
 */
export type InputOf<Task extends TaskId, Model extends ModelId | null = ModelId | null> = WithAllKeys<
  InputOfModel<Task, Model>
>;

/** Types an input that `parseInput` accepted for this task, such as one read from the database. It checks nothing. */
export const asInputOf = <Task extends TaskId>(_task: Task, input: Readonly<Record<string, unknown>>): InputOf<Task> =>
  input as InputOf<Task>;

export interface InputReference {
  /** Dotted: `first_frame`, `reference_images.0`, `elements.0.image`. */
  path: string;
  url: string;
  role: string | null;
  kind: MediaKind;
  /** Of a mask; `of` is the path of its picture. */
  mask?: MaskSpec;
}

/** Returns the path of a mask's picture. @param fields beside the mask, @param prefix of their paths */
export const maskedPath = (fields: readonly FieldSpec[], { of }: Pick<MaskSpec, 'of'>, prefix: string): string =>
  fields.some(({ name }) => name === of.split('.')[0]) ? prefix + of : of;

/**
 * Returns every media reference of an input, in the order of the contract's fields.
 * @param input validated by `parseInput`
 */
export const extractReferences = (
  contract: InputContract,
  input: Readonly<Record<string, unknown>>,
): InputReference[] => referencesOf(contract.fields, input, '');

function referencesOf(
  fields: readonly FieldSpec[],
  input: Readonly<Record<string, unknown>>,
  prefix: string,
): InputReference[] {
  return fields.flatMap((field) => {
    const value = property(input, field.name);
    const path = prefix + field.name;
    if (field.kind === 'reference') {
      const mask = field.mask && { mask: { ...field.mask, of: maskedPath(fields, field.mask, prefix) } };
      return parseReference(path, field.media, value).map((reference) => ({ ...reference, ...mask }));
    }
    if (field.kind === 'group') return isJson(value) ? referencesOf(field.fields, value, `${path}.`) : [];
    if ((field.kind !== 'references' && field.kind !== 'rows') || !Array.isArray(value)) return [];
    return value.flatMap((item: unknown, index) => {
      if (field.kind === 'references') return parseReference(`${path}.${index}`, field.media, item);
      return isJson(item) ? referencesOf(field.fields, item, `${path}.${index}.`) : [];
    });
  });
}

function parseReference(path: string, kind: MediaKind, value: unknown): InputReference[] {
  if (typeof value !== 'object' || value === null || !('url' in value) || typeof value.url !== 'string') return [];
  const role = 'role' in value && typeof value.role === 'string' ? value.role : null;
  return [{ path, url: value.url, role, kind }];
}
