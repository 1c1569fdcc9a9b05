import type { FieldSpec, InputContract, JsonFieldSpec } from '#contract/task.ts';
import { isJson, type Json, property } from '#contract/json-value.ts';
import { isFieldName, orderedNames, requiredNames } from './describe-field.ts';
import type { ModelExample } from '#contract/added-models/example-files.ts';
import type { Conversion, FieldReading, SchemaContext } from './field-reading.ts';
import { SCHEMA_LIMITS } from '#contract/added-models/schema-limits.ts';
import type { MaskPolarity } from './mask-polarity.ts';
import type { ReferenceKind } from './media-kind.ts';
import { type OutputHints, readOutputHints } from '#contract/added-models/output-hints.ts';
import { readField } from './read-field.ts';
import { tieMasks } from './tie-masks.ts';
import { hashSchema } from '#contract/added-models/schema-hash.ts';
import { SchemaError } from '#contract/added-models/schema-error.ts';

/** Inputs that no field can show, written as JSON in one field of the contract. */
export interface AdvancedInput {
  /** Of the contract’s JSON field. */
  field: string;
  names: readonly string[];
  /** Why, by name: sentences. */
  reasons: Readonly<Record<string, string>>;
  /** Of the field’s value, references inlined. */
  json_schema: Json;
}

/** A model's schema as plain data: what is stored, sent to browsers and read by the adapter. */
export interface NormalizedModel {
  contract: InputContract;
  /** Constants that are sent with every input; dotted names for those inside of groups and rows. */
  hidden: Json;
  advanced: AdvancedInput | null;
  /** What the fields take that hold files or links to files; dotted names for those inside of groups and rows. */
  media: Readonly<Record<string, ReferenceKind>>;
  /** What the schema alone says of them, where an example said something else; absent in versions of before. */
  schema_media?: Readonly<Record<string, ReferenceKind | null>>;
  conversions: Readonly<Record<string, Conversion>>;
  /** Fields whose null is sent, dotted like those of `media`; elsewhere null is left out. */
  sends_null: readonly string[];
  /** What a schema takes and its field does not, by name. */
  notes: Readonly<Record<string, string>>;
  output: OutputHints;
  /** Of the schemas of input and output; see `hashSchema`. */
  hash: string;
}

interface ModelSchemas {
  /** As `inlineSchema` returns them. */
  input: Json;
  output: Json;
}

const ADVANCED_NAMES = ['advanced', 'advanced_input', 'advanced_json'];
const TOO_MANY = `The form shows at most ${SCHEMA_LIMITS.fields} fields.`;

/** @throws {SchemaError} if the input is no object, or no property of it can be sent */
export async function normalizeSchemas(
  { input, output }: ModelSchemas,
  { example, ...context }: Omit<SchemaContext, 'at' | 'example'> & { example: ModelExample | null },
): Promise<NormalizedModel> {
  const { properties } = input;
  if (!isJson(properties)) throw new SchemaError('The schema of this model describes no inputs.');
  const required = requiredNames(input);
  const fields: FieldSpec[] = [];
  const hidden: Record<string, unknown> = {};
  const reasons: Record<string, string> = {};
  const media: Record<string, ReferenceKind> = {};
  const schemaMedia: Record<string, ReferenceKind | null> = {};
  const polarities: Record<string, MaskPolarity> = {};
  const conversions: Record<string, Conversion> = {};
  const notes: Record<string, string> = {};
  const sendsNull: string[] = [];
  const record = (name: string, reading: Exclude<FieldReading, { kind: 'unreadable' }>): void => {
    if (reading.kind === 'hidden') {
      if (reading.value !== undefined) hidden[name] = reading.value;
      return;
    }
    if (reading.media) media[name] = reading.media;
    if (reading.schema_media !== undefined) schemaMedia[name] = reading.schema_media;
    if (reading.polarity) polarities[name] = reading.polarity;
    if (reading.sends_null) sendsNull.push(name);
    if (reading.conversion) conversions[name] = reading.conversion;
    if (reading.note) notes[name] = reading.note;
    for (const [key, each] of reading.nested ?? []) record(`${name}.${key}`, each);
  };
  for (const name of orderedNames(input)) {
    const schema = properties[name];
    if (!isJson(schema)) continue;
    if (!isFieldName(name)) {
      if (required.has(name))
        throw new SchemaError('A required input of this model has a name that no field can have.');
      continue;
    }
    const reading = readField({
      name,
      schema,
      required: required.has(name),
      context: { ...context, example: property(example?.input, name), at: '' },
    });
    if (reading.kind === 'unreadable') reasons[name] = reading.reason;
    else if (reading.kind === 'field' && fields.length >= SCHEMA_LIMITS.fields) reasons[name] = TOO_MANY;
    else {
      if (reading.kind === 'field') fields.push(reading.field);
      record(name, reading);
    }
  }
  const advanced = advancedInput(properties, required, reasons);
  const tied = tieMasks(fields, polarities);
  return {
    contract: { fields: advanced ? [...tied, advancedField(advanced)] : tied, rules: [] },
    hidden,
    advanced,
    media,
    schema_media: schemaMedia,
    conversions,
    sends_null: sendsNull,
    notes,
    output: readOutputHints(output, context.category, example?.output, context.known?.output),
    hash: await hashSchema({ input, output }),
  };
}

function advancedInput(
  properties: Json,
  required: ReadonlySet<string>,
  reasons: Readonly<Record<string, string>>,
): AdvancedInput | null {
  const names = Object.keys(reasons);
  if (names.length === 0) return null;
  const field = ADVANCED_NAMES.find((name) => !Object.hasOwn(properties, name));
  if (field === undefined) throw new SchemaError('The schema of this model leaves no name for the Advanced field.');
  return {
    field,
    names,
    reasons,
    json_schema: {
      type: 'object',
      properties: Object.fromEntries(names.map((name) => [name, properties[name]])),
      required: names.filter((name) => required.has(name) && !('default' in (properties[name] as object))),
      additionalProperties: false,
    },
  };
}

function advancedField({ field, names, json_schema }: AdvancedInput): JsonFieldSpec {
  const isRequired = (json_schema['required'] as readonly string[]).length > 0;
  return {
    kind: 'json',
    name: field,
    label: 'Advanced',
    help: `JSON with ${names.join(', ')}.`.slice(0, SCHEMA_LIMITS.help_characters),
    group: isRequired ? 'main' : 'more',
    keys: names,
    ...(isRequired ? { required: true } : { nullable: true, default: null }),
  };
}
