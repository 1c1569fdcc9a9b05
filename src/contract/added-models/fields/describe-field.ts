import type { FieldGroup } from '#contract/task.ts';
import { isJson, type Json } from '#contract/json-value.ts';
import { SCHEMA_LIMITS } from '#contract/added-models/schema-limits.ts';

const INVISIBLE_PATTERN = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\s]+/gu;

/** One line without control, formatting and direction characters, cut with an ellipsis. */
export function cleanText(text: unknown, maxCharacters: number): string {
  if (typeof text !== 'string') return '';
  const line = text
    .slice(0, 4 * maxCharacters)
    .replaceAll(INVISIBLE_PATTERN, ' ')
    .trim();
  return line.length > maxCharacters ? `${line.slice(0, maxCharacters - 1).trimEnd()}…` : line;
}

const humanize = (name: string): string => {
  const words = name.replaceAll(/[_-]+/g, ' ').replace(/^num /i, 'number of ').trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
};

/** “Prompt Optimizer” → “Prompt optimizer”; abbreviations keep their capitals. */
const toSentenceCase = (title: string): string =>
  title.replace(/^Num /, 'Number of ').replaceAll(/(?<= )[A-Z][a-z]+/g, (word) => word.toLowerCase());

function fieldLabel(name: string, schema: Json): string {
  const title = cleanText(schema['title'], SCHEMA_LIMITS.label_characters);
  return title === '' || title.includes('_')
    ? humanize(name).slice(0, SCHEMA_LIMITS.label_characters)
    : toSentenceCase(title);
}

/** “Image url” → “Image”, “Image urls” → “Images”: people choose a file. */
export const withoutUrl = (label: string): string =>
  label.replace(/ (?:ur[il]|link)(s?)$/i, (_match, plural: string) => plural);

export function fieldBase(name: string, schema: Json, group: FieldGroup) {
  const help = cleanText(schema['description'], SCHEMA_LIMITS.help_characters);
  return { name, label: fieldLabel(name, schema), ...(help === '' ? {} : { help }), group };
}

const SHAPE_WORDS = new Set([
  'aspect',
  'ratio',
  'resolution',
  'size',
  'width',
  'height',
  'duration',
  'seconds',
  'length',
  'num',
  'number',
  'count',
  'fps',
  'frames',
  'quality',
  'style',
  'voice',
  'language',
  'format',
  'model',
  'scale',
  'upscale',
  'factor',
]);
const SOUND_WORDS = new Set(['audio', 'sound', 'music']);
const WRITING_WORDS = new Set([
  'prompt',
  'text',
  'lyrics',
  'script',
  'description',
  'instructions',
  'caption',
  'transcript',
]);
const LAST_WORDS = new Set(['negative', 'seed', 'safety', 'guidance', 'inference', 'steps', 'sync']);

export const wordsOf = (name: string): string[] =>
  name
    .replaceAll(/([a-z])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[^a-z0-9]+|(?<=[a-z])(?=\d)/)
    .filter(Boolean);

/** Whether people write sentences into a text. */
export const isWriting = (name: string): boolean => wordsOf(name).some((word) => WRITING_WORDS.has(word));

export function fieldGroup(name: string, required: boolean): FieldGroup {
  if (required) return 'main';
  const words = wordsOf(name);
  if (words.some((word) => LAST_WORDS.has(word))) return 'more';
  if (isWriting(name)) return 'main';
  if (words.some((word) => SOUND_WORDS.has(word))) return 'sound';
  return words.some((word) => SHAPE_WORDS.has(word)) ? 'shape' : 'more';
}

/** Names that are safe as keys of objects, in paths and as names of controls. */
const NAME_PATTERN = /^[A-Za-z_][A-Za-z0-9_-]*$/;
const RESERVED_NAMES = ['__proto__', 'constructor', 'prototype'];

export const isFieldName = (name: string): boolean =>
  name.length <= SCHEMA_LIMITS.name_characters && NAME_PATTERN.test(name) && !RESERVED_NAMES.includes(name);

export function firstExample(schema: Json): string {
  const [example] = Array.isArray(schema['examples']) ? (schema['examples'] as unknown[]) : [];
  return cleanText(example, 200);
}

export const requiredNames = (schema: Json): ReadonlySet<string> =>
  new Set((Array.isArray(schema['required']) ? schema['required'] : []).filter((name) => typeof name === 'string'));

/** Names of an object's properties: as the provider orders them, then those that are required. */
export function orderedNames(schema: Json): string[] {
  const properties = isJson(schema['properties']) ? schema['properties'] : {};
  const listed: unknown[] = Array.isArray(schema['x-fal-order-properties']) ? schema['x-fal-order-properties'] : [];
  const required = requiredNames(schema);
  const rank = (name: string): number => {
    const at = listed.indexOf(name);
    if (at >= 0) return at;
    const { 'x-order': order } = isJson(properties[name]) ? properties[name] : {};
    if (typeof order === 'number' && Number.isFinite(order)) return order;
    return required.has(name) ? 10_000 : 20_000;
  };
  return Object.keys(properties).sort((a, b) => rank(a) - rank(b));
}
