import { type Column, type SQL, and, gte, lt } from 'drizzle-orm';

/** The filter that lists share: from `created_after` on, before `created_before`. Decision: Queries */
export const createdWithin = (
  column: Column,
  range: { created_after?: string | undefined; created_before?: string | undefined },
): SQL | undefined =>
  and(
    range.created_after === undefined ? undefined : gte(column, new Date(range.created_after)),
    range.created_before === undefined ? undefined : lt(column, new Date(range.created_before)),
  );
