import { fieldDefault, type FieldSpec } from '#contract/task.ts';
import { isJson, type Json } from '#contract/json-value.ts';
import { readGroup, readList, readRows, readSize, sizeProperties } from './compound-fields.ts';
import { fieldBase, wordsOf, withoutUrl } from './describe-field.ts';
import { type FieldReading, type FieldSource, isNullable, unreadable } from './field-reading.ts';
import { PROBLEM } from './inline-schema.ts';
import { SCHEMA_LIMITS } from '#contract/added-models/schema-limits.ts';
import { findMedia, type FoundMedia } from './find-media.ts';
import { otherMediaNote } from './media-kind.ts';
import { readBoolean, readChoice, readNumber, readText } from './simple-fields.ts';

/** What a branch of a schema takes. `options`: one of a set. */
type BranchKind = 'options' | 'string' | 'number' | 'integer' | 'boolean' | 'array' | 'object' | 'size' | 'unknown';

function branchKind(schema: Json): BranchKind {
  if (PROBLEM in schema || Array.isArray(schema['anyOf'])) return 'unknown';
  if (Array.isArray(schema['enum']))
    return schema['enum'].every((option) => typeof option === 'boolean') ? 'boolean' : 'options';
  if ('const' in schema) return 'options';
  const { type } = schema;
  if (type === 'string' || type === 'number' || type === 'integer' || type === 'boolean') return type;
  if (type === 'array' || isJson(schema['items'])) return 'array';
  if (type === 'object' || isJson(schema['properties'])) return sizeProperties(schema) ? 'size' : 'object';
  // Some schemas leave the type to the default.
  const { default: preset } = schema;
  if (typeof preset === 'string' || typeof preset === 'boolean') return typeof preset as 'string' | 'boolean';
  return typeof preset === 'number' || 'minimum' in schema || 'maximum' in schema ? 'number' : 'unknown';
}

const optionsOf = (schema: Json): readonly unknown[] =>
  Array.isArray(schema['enum']) ? schema['enum'] : [schema['const']];

const toReading = (
  field: FieldSpec | string,
  more: Partial<Extract<FieldReading, { kind: 'field' }>> = {},
): FieldReading => (typeof field === 'string' ? unreadable(field) : { kind: 'field', field, ...more });

/** Reads a property of a model's input. What may be null has not to be set, even where its name has to be sent. */
export function readField({ required, ...source }: FieldSource): FieldReading {
  const { schema } = source;
  const nullable = isNullable(schema);
  const reading = readValue({ ...source, required: required && !('default' in schema) && !nullable });
  if (!nullable || reading.kind !== 'field' || !('nullable' in reading.field)) return reading;
  // Elsewhere, null is what the provider takes for a value that is left out.
  const isValue = required || (fieldDefault(reading.field) ?? null) !== null;
  return isValue ? { ...reading, sends_null: true } : reading;
}

/** @param source with whether a form has to set it */
function readValue(source: FieldSource): FieldReading {
  const { schema, required } = source;
  if (typeof schema[PROBLEM] === 'string') return unreadable(schema[PROBLEM]);
  if ('const' in schema) {
    const isSent =
      required || ('default' in schema && schema['default'] === schema['const']) || schema['nullable'] !== true;
    return { kind: 'hidden', value: isSent ? schema['const'] : undefined };
  }
  const branches = Array.isArray(schema['anyOf']) ? schema['anyOf'].filter(isJson) : [];
  return branches.length > 0 ? readBranches(source, branches) : readOne(source, branchKind(schema));
}

function readOne(source: FieldSource, kind: BranchKind): FieldReading {
  const { schema } = source;
  switch (kind) {
    case 'options':
      return readOptions(source, optionsOf(schema), null);
    case 'string':
      return readStringOrMedia(source);
    case 'number':
    case 'integer':
      return toReading(readNumber(source, kind));
    case 'boolean':
      return toReading(readBoolean(source));
    case 'size':
      return toReading(readSize(source, schema, []));
    case 'object':
      return readGroup(source, readField);
    case 'array':
      return readArray(source);
    case 'unknown':
      return unreadable(
        Array.isArray(schema['anyOf']) ? 'It takes several kinds of values.' : 'Its schema names no type.',
      );
  }
}

function readOptions(source: FieldSource, options: readonly unknown[], own: Json | null): FieldReading {
  const hasEmpty = options.includes('') && source.schema['default'] !== '';
  return toReading(readChoice(source, options, own), hasEmpty ? { conversion: 'empty_text' } : {});
}

const isAll = (kinds: ReadonlySet<BranchKind>, ...all: readonly BranchKind[]): boolean =>
  kinds.size === all.length && all.every((kind) => kinds.has(kind));

/** Reads what takes values of several kinds. */
function readBranches(source: FieldSource, branches: readonly Json[]): FieldReading {
  const { anyOf: _, ...common } = source.schema;
  const ofKind = (kind: BranchKind) => branches.filter((branch) => branchKind(branch) === kind);
  const narrow = (branch: Json | undefined): FieldSource => ({ ...source, schema: { ...branch, ...common } });
  const kinds = new Set(branches.map(branchKind));
  const options = ofKind('options').flatMap(optionsOf);
  if (isAll(kinds, 'options')) return readOptions(narrow(undefined), options, null);
  if (isAll(kinds, 'options', 'string')) return readOptions(narrow(undefined), options, ofKind('string')[0] ?? {});
  if (isAll(kinds, 'options', 'size') || isAll(kinds, 'options', 'string', 'size')) {
    const names = options.filter((option) => typeof option === 'string');
    if (names.length === options.length) return toReading(readSize(narrow(undefined), ofKind('size')[0] ?? {}, names));
  }
  if (isAll(kinds, 'number', 'integer') || isAll(kinds, 'number') || isAll(kinds, 'integer')) {
    const [wide] = [...ofKind('number'), ...ofKind('integer')];
    return toReading(readNumber(narrow(wide), kinds.has('number') ? 'number' : 'integer'));
  }
  // A number or a word such as “auto” is written as a text.
  const isScalar = [...kinds].every((kind) => ['string', 'number', 'integer', 'options'].includes(kind));
  if (isScalar) {
    const scalar: FieldSource = { ...source, schema: withTextDefault(common) };
    const field = options.length > 0 ? readChoice(scalar, options, {}) : readText(scalar);
    return toReading(typeof field === 'string' ? field : { ...field, or_number: true }, { conversion: 'number' });
  }
  const simplest = SIMPLEST_FIRST.find((kind) => kinds.has(kind));
  if (simplest === undefined) return unreadable('It takes several kinds of values.');
  if (branches.length > ofKind(simplest).length + ofKind('unknown').length || kinds.has('unknown')) {
    const branch = ofKind(simplest)[0];
    const reading = readOne(narrow(branch), simplest);
    if (reading.kind !== 'field') return reading;
    const others = new Set([...kinds].filter((kind) => kind !== simplest));
    const itemKind = simplest === 'array' && isJson(branch?.['items']) ? branchKind(branch['items']) : null;
    if (reading.field.kind === 'list' && itemKind !== null && others.delete(itemKind) && others.size === 0)
      return { ...reading, field: { ...reading.field, or_item: true } };
    return { ...reading, note: `It also takes ${describeKinds(others)}.` };
  }
  return unreadable('It takes objects of several shapes.');
}

/** Of values of several kinds, a form offers the one that people can enter. A list also holds a single value. */
const SIMPLEST_FIRST = [
  'array',
  'options',
  'number',
  'integer',
  'string',
  'boolean',
  'size',
] as const satisfies readonly BranchKind[];

const BRANCH_NOUNS: Readonly<Record<BranchKind, string>> = {
  options: 'an option',
  string: 'a text',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  size: 'a size',
  unknown: 'other values',
};
const describeKinds = (kinds: ReadonlySet<BranchKind>): string =>
  [...kinds].map((kind) => BRANCH_NOUNS[kind]).join(' and ');

function withTextDefault(schema: Json): Json {
  const { default: preset, ...rest } = schema;
  return typeof preset === 'number' ? { ...rest, default: String(preset) } : schema;
}

const FRAME_WORDS = ['first', 'last', 'start', 'end', 'tail'];
const mediaGroup = ({ name, required }: FieldSource) => {
  if (wordsOf(name).some((word) => FRAME_WORDS.includes(word))) return 'frames' as const;
  return required ? ('main' as const) : ('references' as const);
};

const mediaBase = (source: FieldSource) => {
  const base = fieldBase(source.name, source.schema, mediaGroup(source));
  return { ...base, label: withoutUrl(base.label) };
};

function readStringOrMedia(source: FieldSource): FieldReading {
  const { schema, required } = source;
  const found = findMedia(source, schema);
  const { media } = found;
  if (media === null) return withoutEmpty(source, toReading(readText(source)));
  // A default is a sample of the provider.
  const { default: _, examples: __, ...rest } = schema;
  const note = otherMediaNote(media, schema);
  const reading = { ...found, media, ...(note === null ? {} : { note }) };
  if (media === 'file')
    return withoutEmpty(
      source,
      toReading(readText({ ...source, schema: { ...rest, examples: ['https://'] } }), reading),
    );
  return toReading(
    {
      ...mediaBase(source),
      kind: 'reference',
      media,
      ...(required ? { required: true } : { nullable: true }),
      with_role: false,
    },
    reading,
  );
}

/** A text that a person emptied is left out where the schema takes no empty one. */
const withoutEmpty = ({ schema }: FieldSource, reading: FieldReading): FieldReading =>
  reading.kind === 'field' && typeof schema['minLength'] === 'number' && schema['minLength'] > 0
    ? { ...reading, conversion: 'no_empty_text' }
    : reading;

function readArray(source: FieldSource): FieldReading {
  const { name, schema, required } = source;
  const items = isJson(schema['items']) ? schema['items'] : null;
  if (items === null) return unreadable('Its items have no schema.');
  if (typeof items[PROBLEM] === 'string') return unreadable(`Its items: ${items[PROBLEM]}`);
  const kind = branchKind(items);
  const described = {
    ...items,
    description: items['description'] ?? schema['description'],
    examples: [items['examples'] ?? [], schema['examples'] ?? []].flat(),
    default: schema['default'],
  };
  const found: FoundMedia = kind === 'string' ? findMedia(source, described) : { media: null };
  const { media } = found;
  if (media !== null && media !== 'file') {
    const max_items = Math.min(
      Number(schema['maxItems'] ?? SCHEMA_LIMITS.media_items) || SCHEMA_LIMITS.media_items,
      SCHEMA_LIMITS.items,
    );
    const min_items = required ? Math.max(1, Number(schema['minItems'] ?? 1) || 1) : 0;
    if (min_items > max_items) return unreadable('It takes more files than fit.');
    return toReading(
      {
        ...mediaBase(source),
        kind: 'references',
        media,
        ...(required ? { required: true } : {}),
        ...(isNullable(schema) ? { nullable: true } : {}),
        min_items,
        max_items,
        with_role: false,
      },
      { ...found, media },
    );
  }
  if (kind === 'object' || kind === 'size') return readRows(source, items, readField);
  const { default: _, nullable: __, ...item } = items;
  const inner: FieldSource = { ...source, schema: { ...item, title: schema['title'] }, required: true };
  if (kind === 'array' || kind === 'unknown' || kind === 'boolean')
    return Array.isArray(items['anyOf'])
      ? readListOf(source, readField(inner))
      : unreadable(`Its items are ${kind === 'array' ? 'lists' : 'of a kind that no field shows'}.`);
  const reading =
    media === 'file'
      ? toReading(readText(inner), { ...found, media })
      : readOne({ ...inner, context: { ...source.context, overrides: { [source.context.at + name]: 'text' } } }, kind);
  return readListOf(source, reading);
}

function readListOf(source: FieldSource, reading: FieldReading): FieldReading {
  if (reading.kind !== 'field') return reading.kind === 'hidden' ? unreadable('Its items are constants.') : reading;
  const { field: item } = reading;
  if (item.kind !== 'text' && item.kind !== 'number' && item.kind !== 'integer' && item.kind !== 'choice')
    return unreadable('Its items are of a kind that no list shows.');
  if (item.kind === 'choice' && item.options.length > SCHEMA_LIMITS.list_options)
    return unreadable(`It has more than ${SCHEMA_LIMITS.list_options} options, of which several can be chosen.`);
  return toReading(readList(source, item), {
    ...(reading.media ? { media: reading.media } : {}),
    ...(reading.schema_media === undefined ? {} : { schema_media: reading.schema_media }),
    ...(reading.conversion ? { conversion: reading.conversion } : {}),
  });
}
