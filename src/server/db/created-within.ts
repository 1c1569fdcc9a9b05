import { type Column, type SQL, and, gte, lt } from 'drizzle-orm';

/** Nothing was created outside of these, and the database takes years of four digits only. */
const EARLIEST_MS = 0;
const LATEST_MS = Date.UTC(9999, 0);

/** The time that a query names. */
export function parseQueryTime(text: string): Date {
  return new Date(Math.min(Math.max(Date.parse(text), EARLIEST_MS), LATEST_MS));
}

/** The filter that lists share: from `created_after` on, before `created_before`. Decision: Queries */
export const createdBetween = (
  column: Column,
  range: { created_after?: string | undefined; created_before?: string | undefined },
): SQL | undefined =>
  and(
    range.created_after === undefined ? undefined : gte(column, parseQueryTime(range.created_after)),
    range.created_before === undefined ? undefined : lt(column, parseQueryTime(range.created_before)),
  );
