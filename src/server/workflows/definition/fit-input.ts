import type { Field, InputContract } from '#contract/task.ts';

const MEDIUM_ID = /^(ast|upl)_/;

/**
 * Brings what expressions gave into the form that a task takes: an asset, an upload or a bare address as `{url}`, one medium
 * as a list of one. What is wrong stays so, for `parseInput` to judge.
 */
export function fitInput(contract: InputContract, input: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const fields = new Map(contract.fields.map((field) => [field.name, field]));
  return Object.fromEntries(
    Object.entries(input).map(([name, value]) => {
      const field = fields.get(name);
      return [name, field ? fit(field, value) : value];
    }),
  );
}

function fit(field: Field, value: unknown): unknown {
  if (field.kind === 'reference') return Array.isArray(value) && value.length === 1 ? asLink(value[0]) : asLink(value);
  if (field.kind !== 'references' || value === undefined || value === null) return value;
  return (Array.isArray(value) ? value : [value]).map(asLink);
}

function asLink(value: unknown): unknown {
  if (typeof value === 'string') return { url: value };
  if (typeof value !== 'object' || value === null || !('url' in value) || !('id' in value)) return value;
  return typeof value.id === 'string' && MEDIUM_ID.test(value.id) ? { url: value.url } : value;
}
