import { isJson } from '#contract/json-value.ts';
import type { FieldSpec, InputContract } from '#contract/task.ts';

const MEDIA_ID = /^(ast|upl)_/;

/** An asset, an upload or a bare URL becomes `{url}`, a single medium for a list becomes a list; the rest stays. */
export function normalizeInput(
  contract: InputContract,
  input: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const fields = new Map(contract.fields.map((field) => [field.name, field]));
  return Object.fromEntries(
    Object.entries(input).map(([name, value]) => {
      const field = fields.get(name);
      return [name, field ? normalizeField(field, value) : value];
    }),
  );
}

function normalizeField(field: FieldSpec, value: unknown): unknown {
  if (field.kind === 'reference') return Array.isArray(value) && value.length === 1 ? toLink(value[0]) : toLink(value);
  if (field.kind === 'group') return isJson(value) ? normalizeInput({ fields: field.fields, rules: [] }, value) : value;
  if (field.kind === 'rows' && Array.isArray(value))
    return value.map((row: unknown) => (isJson(row) ? normalizeInput({ fields: field.fields, rules: [] }, row) : row));
  if (field.kind !== 'references' || value === undefined || value === null) return value;
  return (Array.isArray(value) ? value : [value]).map(toLink);
}

function toLink(value: unknown): unknown {
  if (typeof value === 'string') return { url: value };
  if (typeof value !== 'object' || value === null || !('url' in value) || !('id' in value)) return value;
  return typeof value.id === 'string' && MEDIA_ID.test(value.id) ? { url: value.url } : value;
}
