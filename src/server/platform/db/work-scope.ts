import { type AnyColumn, type SQL, eq, inArray, sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import type { Db } from './db.ts';
import { apiKeys } from './schema/organization-schema.ts';

/** Whose work or charges a request covers: a person's, or everyone's. */
export interface WorkScope {
  organization_id: string;
  /** null: everyone's. */
  person_id: string | null;
}

/** Matches rows whose key, in `column`, belongs to a person; undefined for everyone. */
export const madeBy = (column: AnyColumn, { person_id }: Pick<WorkScope, 'person_id'>): SQL | undefined =>
  person_id === null
    ? undefined
    : sql`${column} = any(array(select id from api_keys where api_keys.person_id = ${person_id}))`;

/** Like `madeBy`, with the ids of the keys: the planner then knows how many rows these have. */
export async function madeByKeysOf(
  db: Pick<Db, 'select'>,
  column: PgColumn,
  { person_id }: Pick<WorkScope, 'person_id'>,
) {
  if (person_id === null) return undefined;
  const keys = await db.select({ id: apiKeys.id }).from(apiKeys).where(eq(apiKeys.person_id, person_id));
  const ids = keys.map(({ id }) => id);
  return ids.length === 0 ? sql`false` : inArray(column, ids);
}
