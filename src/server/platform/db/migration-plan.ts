import { sql } from 'drizzle-orm';
import type { Db } from './db.ts';
import { describeMigration, type MigrationSummary } from './describe-migration.ts';
import { listPendingMigrations, MIGRATIONS_FOLDER } from './pending-migrations.ts';

interface PlannedMigration extends MigrationSummary {
  tag: string;
}

interface TableSize {
  /** With indexes, such as `12 MB`. */
  size: string;
  /** An estimate; null: unknown, because the table was never analyzed. */
  row_count: number | null;
}

export interface MigrationPlan {
  pending: PlannedMigration[];
  /** Sizes of existing tables, by name. */
  sizes: ReadonlyMap<string, TableSize>;
}

/**
 * Describes the migrations that the database lacks, and changes nothing.
 * @throws {NewerDatabaseError} if the program lacks migrations of the database
 */
export async function readMigrationPlan(db: Pick<Db, 'execute'>, folder = MIGRATIONS_FOLDER): Promise<MigrationPlan> {
  const migrations = await listPendingMigrations(db, folder);
  const pending = await Promise.all(
    migrations.map(async ({ tag }) => ({ tag, ...(await describeMigration(tag, folder)) })),
  );
  return { pending, sizes: await readTableSizes(db) };
}

async function readTableSizes(db: Pick<Db, 'execute'>): Promise<ReadonlyMap<string, TableSize>> {
  const result = await db.execute(sql`
    select relname as name, pg_size_pretty(pg_total_relation_size(oid)) as size, reltuples::float8 as row_count
    from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace`);
  const { rows } = result as unknown as { rows: { name: string; size: string; row_count: number }[] };
  return new Map(
    rows.map(({ name, size, row_count }) => [name, { size, row_count: row_count < 0 ? null : row_count }]),
  );
}
