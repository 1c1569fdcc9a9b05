import type { JsonSchema } from '#web/api/queries/reference.ts';
import { resolveSchema, type Schemas } from './json-schema.ts';

const SAMPLE_TEXTS: Readonly<Record<string, string>> = {
  prompt: 'A lighthouse on a basalt cliff at dusk',
  query: 'street food at night',
  name: 'Blog images',
  description: 'Monthly budget',
  amount_usd: '25.00',
  url: 'https://example.com/picture.png',
};
const SAMPLE_FILES: Readonly<Record<string, string>> = { video: 'clip.mp4', videos: 'clip.mp4', audio: 'voice.mp3' };

const sampleText = (schema: JsonSchema, name: string, parent: string) => {
  if (name === 'url' && SAMPLE_FILES[parent]) return `https://example.com/${SAMPLE_FILES[parent]}`;
  if (SAMPLE_TEXTS[name]) return SAMPLE_TEXTS[name];
  if (schema.format === 'date-time') return '2026-01-31T12:00:00Z';
  return 'text';
};

const SAMPLE_PRIMITIVES: Readonly<Record<string, unknown>> = { number: 1, integer: 1, boolean: true, null: null };

/** Required properties only. @param name of the property, which selects a realistic sample text */
export function sampleValue(raw: JsonSchema, schemas: Schemas, name = '', parent = ''): unknown {
  const { schema } = resolveSchema(raw, schemas);
  if (schema.const !== undefined) return schema.const;
  if (schema.default !== undefined && schema.default !== null) return schema.default;
  if (schema.enum) return schema.enum[0];
  const choice = schema.oneOf?.[0] ?? schema.anyOf?.[0];
  if (choice) return sampleValue(choice, schemas, name, parent);
  if (schema.properties)
    return Object.fromEntries(
      Object.entries(schema.properties)
        .filter(([key]) => schema.required?.includes(key))
        .map(([key, property]) => [key, sampleValue(property, schemas, key, name)]),
    );
  if (schema.items) {
    const { items } = schema;
    return Array.from({ length: Math.max(1, schema.minItems ?? 1) }, () => sampleValue(items, schemas, name, name));
  }
  if (schema.type === 'object') return {};
  if (schema.type === 'number' || schema.type === 'integer') return Math.max(schema.minimum ?? 1, 1);
  return typeof schema.type === 'string' && schema.type in SAMPLE_PRIMITIVES
    ? SAMPLE_PRIMITIVES[schema.type]
    : sampleText(schema, name, parent);
}
