import { MEDIA_KINDS, type MediaKind } from '#contract/task.ts';
import type { StarterInput } from '../starter-values.ts';

export const INPUT_KINDS = ['text', 'choice', 'number', 'boolean', 'date', 'file', 'files'] as const;
export type InputKind = (typeof INPUT_KINDS)[number];

type Property = StarterInput['property'];

export const INPUT_KIND_LABELS = {
  text: { label: 'Text', description: 'One line or more' },
  choice: { label: 'Choice', description: 'One from a list' },
  number: { label: 'Number', description: 'With limits and a unit' },
  boolean: { label: 'Switch', description: 'On or off' },
  date: { label: 'Date and time', description: 'Day and time of day' },
  file: { label: 'File', description: 'One image, video, or sound' },
  files: { label: 'Files', description: 'An ordered list of one type' },
} as const satisfies Record<InputKind, { label: string; description: string }>;

export const INPUT_DEFAULTS = {
  text: { required: true, property: { type: 'string', title: 'Text' } },
  choice: { required: false, property: { title: 'Choice', enum: ['first', 'second'], default: 'first' } },
  number: { required: false, property: { type: 'integer', title: 'Number', minimum: 1, maximum: 10, default: 1 } },
  boolean: { required: false, property: { type: 'boolean', title: 'Switch', default: false } },
  date: { required: false, property: { type: ['string', 'null'], format: 'date-time', title: 'Date' } },
  file: { required: true, property: { type: 'object', 'x-media': 'image', title: 'Image' } },
  files: {
    required: true,
    property: { type: 'array', items: { type: 'object', 'x-media': 'image' }, title: 'Images', maxItems: 8 },
  },
} as const satisfies Record<InputKind, { required: boolean; property: Property }>;

/** Returns null for properties that the form has no controls for. */
export function detectInputKind(property: Property): InputKind | null {
  const [type] = [property['type']].flat();
  if ('x-size' in property) return null;
  if ('enum' in property) return 'choice';
  if (type === 'string') return property['format'] === 'date-time' ? 'date' : 'text';
  if (type === 'number' || type === 'integer') return 'number';
  if (type === 'boolean') return 'boolean';
  if (inputMediaKind(property) === null) return null;
  return type === 'object' ? 'file' : 'files';
}

const isMedia = (value: unknown): value is MediaKind => MEDIA_KINDS.some((kind) => kind === value);

export function inputMediaKind(property: Property): MediaKind | null {
  const items = property['items'];
  const mediaType =
    typeof items === 'object' && items !== null && 'x-media' in items ? items['x-media'] : property['x-media'];
  return isMedia(mediaType) ? mediaType : null;
}

export const inputTitle = ({ key, property }: Pick<StarterInput, 'key' | 'property'>): string =>
  typeof property['title'] === 'string' && property['title'] !== '' ? property['title'] : key;

export const mergeProperty = (property: Property, parts: Property): Property =>
  Object.fromEntries(Object.entries({ ...property, ...parts }).filter(([, value]) => value !== undefined));
