import type { JsonSchema } from '#web/queries/reference.ts';
import { resolve, type Schemas } from './json-schema.ts';

const TEXTS: Readonly<Record<string, string>> = {
  prompt: 'A lighthouse on a basalt cliff at dusk',
  query: 'street food at night',
  name: 'Blog images',
  description: 'Monthly budget',
  amount_usd: '25.00',
  url: 'https://example.com/picture.png',
};
const FILES: Readonly<Record<string, string>> = { video: 'clip.mp4', videos: 'clip.mp4', audio: 'voice.mp3' };

const textOf = (schema: JsonSchema, name: string, parent: string) => {
  if (name === 'url' && FILES[parent]) return `https://example.com/${FILES[parent]}`;
  if (TEXTS[name]) return TEXTS[name];
  if (schema.format === 'date-time') return '2026-01-31T12:00:00Z';
  return 'text';
};

const EMPTY: Readonly<Record<string, unknown>> = { number: 1, integer: 1, boolean: true, null: null };

/**
 * A small value that a schema accepts: what it requires and no more.
 * @param name of the property it is for, so that a prompt reads like one
 */
export function sampleOf(given: JsonSchema, schemas: Schemas, name = '', parent = ''): unknown {
  const { schema } = resolve(given, schemas);
  if (schema.const !== undefined) return schema.const;
  if (schema.default !== undefined && schema.default !== null) return schema.default;
  if (schema.enum) return schema.enum[0];
  const choice = schema.oneOf?.[0] ?? schema.anyOf?.[0];
  if (choice) return sampleOf(choice, schemas, name, parent);
  if (schema.properties)
    return Object.fromEntries(
      Object.entries(schema.properties)
        .filter(([key]) => schema.required?.includes(key))
        .map(([key, property]) => [key, sampleOf(property, schemas, key, name)]),
    );
  if (schema.items) {
    const { items } = schema;
    return Array.from({ length: Math.max(1, schema.minItems ?? 1) }, () => sampleOf(items, schemas, name, name));
  }
  if (schema.type === 'object') return {};
  if (schema.type === 'number' || schema.type === 'integer') return Math.max(schema.minimum ?? 1, 1);
  return typeof schema.type === 'string' && schema.type in EMPTY ? EMPTY[schema.type] : textOf(schema, name, parent);
}
