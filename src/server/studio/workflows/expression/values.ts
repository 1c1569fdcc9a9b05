import { WORKFLOW_LIMITS } from '#contract/workflows/workflow-definition.ts';

export function isTrue(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(isTrue);
  if (typeof value === 'object' && value !== null) return Object.keys(value).length > 0;
  return Boolean(value);
}

/** Returns the result of an expression as a list: nothing is an empty list, a single value a list of one. */
export function toList(value: unknown): unknown[] {
  if (value === undefined || value === null) return [];
  return Array.isArray(value) ? value : [value];
}

export function toMaxItems(value: unknown): number | null {
  const count = typeof value === 'string' && /^\d{1,3}$/.test(value) ? Number(value) : value;
  if (typeof count !== 'number' || !Number.isInteger(count) || count < 0 || count > WORKFLOW_LIMITS.items) return null;
  return count;
}

export const MAX_ITEMS_MESSAGE = `max_items must be a whole number up to ${WORKFLOW_LIMITS.items}.`;
