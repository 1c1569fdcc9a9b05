import type { PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core';
import type { PGliteLike } from 'pg-boss';
import type { PostgresEndpoint } from './postgres/postgres-endpoint.ts';

export type Db = PgDatabase<PgQueryResultHKT>;
export type Tx = Parameters<Parameters<Db['transaction']>[0]>[0];

export type JobQueueDatabase = { pglite: PGliteLike } | { postgres: PostgresEndpoint };
