import type { PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core';
import type { PGliteLike } from 'pg-boss';
import type * as schema from './schema.ts';

/** Either driver: embedded PGlite, or PostgreSQL through pg. */
export type Db = PgDatabase<PgQueryResultHKT, typeof schema>;
/** An open transaction. Domain functions take it explicitly. */
export type Tx = Parameters<Parameters<Db['transaction']>[0]>[0];

/** How the job queue connects to the same database. */
export type JobQueueDatabase = { pglite: PGliteLike } | { connection_string: string };
