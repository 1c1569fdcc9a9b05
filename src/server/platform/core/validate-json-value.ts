import { MAX_ERROR_DETAILS, type ErrorDetail } from '#contract/api/errors.ts';

const MAX_DEPTH = 64;
/** Including nested values. Far more than other requests than lists of orders need, which have a limit of their own. */
export const MAX_VALUES = 10_000;
export const tooManyValuesMessage = (max: number) => `This contains more than ${max.toLocaleString('en-US')} values.`;
const MAX_NAME_CHARACTERS = 80;

interface Node {
  value: unknown;
  key: string | null;
  parent: Node | null;
  depth: number;
}

/**
 * Finds what no field may contain, whatever its schema, as rows of an error response: text that the database cannot
 * store (NUL, lone surrogates), unbounded numbers, too many values, too deep nesting, keys that reach into prototypes.
 * Stops after 20.
 */
export function validateJsonValue(value: unknown, maxValues = MAX_VALUES): ErrorDetail[] {
  const details: ErrorDetail[] = [];
  const rest: Node[] = [{ value, key: null, parent: null, depth: 0 }];
  let count = 1;
  for (let next = rest.pop(); next && details.length < MAX_ERROR_DETAILS; next = rest.pop()) {
    const message = validateNode(next);
    if (message) details.push({ path: nodePath(next), message });
    else if (typeof next.value === 'object' && next.value !== null) {
      const children = Object.entries(next.value);
      count += children.length;
      if (count > maxValues) return [...details, { path: nodePath(next), message: tooManyValuesMessage(maxValues) }];
      for (const [key, child] of children) {
        rest.push({ value: child, key, parent: next, depth: next.depth + 1 });
      }
    }
  }
  return details;
}

function validateNode({ value, key, depth }: Node): string | null {
  if (key === '__proto__') return 'This name is not allowed.';
  const nameProblem = key === null ? null : validateText(key);
  if (nameProblem) return nameProblem;
  if (typeof value === 'string') return validateText(value);
  if (typeof value === 'number') return Number.isFinite(value) ? null : 'This number is too large.';
  return depth > MAX_DEPTH ? 'This is nested too deeply.' : null;
}

function validateText(text: string): string | null {
  if (text.includes('\u0000')) return 'This text contains a NUL character, which cannot be stored.';
  return text.isWellFormed() ? null : 'This text contains half of a character, which cannot be stored.';
}

function nodePath(node: Node): string {
  const names: string[] = [];
  for (let at: Node | null = node; at?.key != null; at = at.parent) names.push(sanitizeKey(at.key));
  return names.toReversed().join('.');
}

/** Makes an untrusted name fit for display. */
const sanitizeKey = (key: string) => key.replaceAll('\u0000', '').toWellFormed().slice(0, MAX_NAME_CHARACTERS);
