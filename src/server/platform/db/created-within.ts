import { type Column, type SQL, and, gte, lt } from 'drizzle-orm';

/** Bounds for query times: nothing was created before, and the database only accepts years of four digits. */
const EARLIEST_MS = 0;
const LATEST_MS = Date.UTC(9999, 0);

export function parseQueryTime(text: string): Date {
  return new Date(Math.min(Math.max(Date.parse(text), EARLIEST_MS), LATEST_MS));
}

/** Filters lists by `created_after` (inclusive) and `created_before` (exclusive). Decision: Queries */
export const createdBetween = (
  column: Column,
  range: { created_after?: string | undefined; created_before?: string | undefined },
): SQL | undefined =>
  and(
    range.created_after === undefined ? undefined : gte(column, parseQueryTime(range.created_after)),
    range.created_before === undefined ? undefined : lt(column, parseQueryTime(range.created_before)),
  );
