import { type SQL, sql } from 'drizzle-orm';
import type { Db, Tx } from '#server/platform/db/db.ts';
import { listTables, readRows } from '#server/platform/db/rows/list-tables.ts';
import type { MediaLine } from './backup-manifest.ts';

const PAGE_ROWS = 500;
const TABLES = ['assets', 'uploads', 'media_derivatives'];

/** Lists the stored files that rows need, in pages, by key. Works in older schemas too. */
export async function* listMedia(db: Db | Tx): AsyncGenerator<MediaLine[]> {
  const sources = await listSources(db);
  for (let last = ''; ;) {
    const pages = sources.map(
      ({ name, needed }) => sql`(select storage_key as key, size_bytes::float8 as size_bytes, sha256
        from ${sql.identifier(name)} where storage_key > ${last} and ${needed}
        order by storage_key limit ${sql.raw(String(PAGE_ROWS))})`,
    );
    const page = await readRows<MediaLine>(
      db,
      sql`select * from (${sql.join(pages, sql` union `)}) as files order by key limit ${sql.raw(String(PAGE_ROWS))}`,
    );
    const [newest] = page.slice(-1);
    if (newest === undefined) return;
    yield page;
    last = newest.key;
  }
}

/** Returns some of these files, chosen at random. */
export async function sampleMedia(db: Db, count: number): Promise<MediaLine[]> {
  const all = (await listSources(db)).map(
    ({ name, needed }) => sql`(select storage_key as key, size_bytes::float8 as size_bytes, sha256
      from ${sql.identifier(name)} where ${needed})`,
  );
  return readRows<MediaLine>(
    db,
    sql`select * from (${sql.join(all, sql` union all `)}) as files order by random() limit ${count}`,
  );
}

/** Removed files are needed while they are in the trash. */
async function listSources(db: Db | Tx): Promise<{ name: string; needed: SQL }[]> {
  const tables = (await listTables(db)).filter(({ name }) => TABLES.includes(name));
  return tables.map(({ name, columns }) => {
    const has = (column: string) => columns.some((each) => each.name === column);
    if (has('trashed_at')) return { name, needed: sql`(removed_at is null or trashed_at is not null)` };
    return { name, needed: has('removed_at') ? sql`removed_at is null` : sql`true` };
  });
}
