import { type AnyColumn, type SQL, sql } from 'drizzle-orm';

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
