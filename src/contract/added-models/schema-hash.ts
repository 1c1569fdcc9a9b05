import { isJson } from '../json-value.ts';

/** Texts for people: a model whose description changes is still the same model. */
const DESCRIPTIONS = ['title', 'description', 'examples'];

/** JSON with sorted keys, without texts for people. */
export function canonicalJson(value: unknown, inProperties = false): string {
  if (Array.isArray(value)) return `[${value.map((item) => canonicalJson(item)).join(',')}]`;
  if (!isJson(value)) return JSON.stringify(value) ?? 'null';
  const keys = Object.keys(value)
    .filter((key) => inProperties || (!DESCRIPTIONS.includes(key) && !key.startsWith('x-')))
    .sort();
  const entries = keys.map(
    (key) => `${JSON.stringify(key)}:${canonicalJson(value[key], !inProperties && key === 'properties')}`,
  );
  return `{${entries.join(',')}}`;
}

/** Identifies a schema for as long as a form of it fits: hexadecimal SHA-256. */
export async function hashSchema(schema: unknown): Promise<string> {
  const bytes = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(canonicalJson(schema)));
  return [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
