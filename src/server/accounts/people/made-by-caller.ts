import { type AnyColumn, type SQL, eq } from 'drizzle-orm';
import type { Caller } from '#server/platform/core/caller.ts';
import { madeBy } from '#server/platform/db/work-scope.ts';

/** Matches rows whose key, in `column`, is the caller's, or belongs to the same person. */
export const madeByCaller = (column: AnyColumn, { person, key_id }: Pick<Caller, 'person' | 'key_id'>): SQL =>
  madeBy(column, { person_id: person?.id ?? null }) ?? eq(column, key_id);
