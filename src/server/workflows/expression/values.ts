import { WORKFLOW_LIMITS } from '#contract/workflow-definition.ts';

/** Whether a condition holds, as the language itself sees it. */
export function isTrue(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(isTrue);
  if (typeof value === 'object' && value !== null) return Object.keys(value).length > 0;
  return Boolean(value);
}

/** The list that an expression gives: nothing is an empty one, and what is no list is one of one. */
export function toList(value: unknown): unknown[] {
  if (value === undefined || value === null) return [];
  return Array.isArray(value) ? value : [value];
}

/** How many items there may be, as an expression gives it. @returns null where that is no such number */
export function toMaxItems(value: unknown): number | null {
  const count = typeof value === 'string' && /^\d{1,3}$/.test(value) ? Number(value) : value;
  if (typeof count !== 'number' || !Number.isInteger(count) || count < 0 || count > WORKFLOW_LIMITS.items) return null;
  return count;
}

export const MAX_ITEMS_MESSAGE = `How many there may be must be a whole number up to ${WORKFLOW_LIMITS.items}.`;
