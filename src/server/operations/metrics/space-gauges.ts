import type { Deps } from '#server/platform/deps.ts';
import { sql } from 'drizzle-orm';
import { Gauge, type Registry } from 'prom-client';
import { withLongStatements } from '#server/platform/db/postgres/long-statements.ts';
import type { Database } from '#server/platform/db/open-database.ts';
import { readFreeSpace } from '#server/platform/storage/free-space.ts';
import { readRows } from '#server/platform/db/rows/list-tables.ts';

/** The sum reads every row of media, so it is refreshed in the background. */
const SUM_TTL_MS = 600_000;

const SUMS = sql`
  select 'outputs' as kind, coalesce(sum(size_bytes), 0)::float8 as bytes from (
    select size_bytes from assets where removed_at is null union all select size_bytes from received_files) as outputs
  union all select 'uploads', coalesce(sum(size_bytes), 0)::float8 from uploads where removed_at is null
  union all select 'derivatives', coalesce(sum(size_bytes), 0)::float8 from media_derivatives`;

/** Connections of this process to PostgreSQL. */
export function createPoolGauge({ connections }: Pick<Database, 'connections'>, registers: Registry[]): Gauge | null {
  if (!connections) return null;
  return new Gauge({
    name: 'emulsion_database_connections',
    help: 'Connections of this process to the database, and requests that wait for one.',
    labelNames: ['state'],
    registers,
    collect() {
      const { total, idle, waiting } = connections();
      for (const [state, count] of Object.entries({ active: total - idle, idle, waiting })) this.set({ state }, count);
    },
  });
}

/** Free space of the disks, and bytes of media. @returns reads them anew */
export function createSpaceGauges(
  { config, db, log, storage }: Pick<Deps, 'config' | 'db' | 'clock' | 'log' | 'storage'>,
  registers: Registry[],
) {
  const free = new Gauge({
    name: 'emulsion_disk_free_bytes',
    help: 'Free space on the disk of DATA_DIR, and of media that are in a folder.',
    labelNames: ['directory'],
    registers,
  });
  const media = new Gauge({
    name: 'emulsion_media_bytes',
    help: 'Size of stored media, at most ten minutes old.',
    labelNames: ['kind'],
    registers,
  });
  let nextSumMs = 0;
  const sumMedia = async () => {
    for (const { kind, bytes } of await withLongStatements(() => readRows<{ kind: string; bytes: number }>(db, SUMS)))
      media.set({ kind }, bytes);
  };
  return async (): Promise<void> => {
    for (const { directory, bytes } of await readFreeSpace({ config, storage })) free.set({ directory }, bytes);
    if (performance.now() < nextSumMs) return;
    nextSumMs = performance.now() + SUM_TTL_MS;
    sumMedia().catch((error: unknown) => log.warn({ err: error }, 'the size of media could not be read'));
  };
}
