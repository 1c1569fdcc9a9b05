import { type SQL, sql } from 'drizzle-orm';
import type { Db, Tx } from '#server/platform/db/db.ts';
import { readRows } from '#server/platform/db/rows/list-tables.ts';
import type { MediaLine } from './backup-manifest.ts';

const PAGE_ROWS = 500;
/** Removed files are needed while they are in the trash. */
const IS_NEEDED = sql`(removed_at is null or trashed_at is not null)`;
const SOURCES: readonly { name: string; needed: SQL }[] = [
  { name: 'assets', needed: IS_NEEDED },
  { name: 'uploads', needed: IS_NEEDED },
  { name: 'media_derivatives', needed: sql`true` },
  { name: 'organization_logos', needed: sql`true` },
  { name: 'received_files', needed: sql`true` },
  { name: 'provider_bills', needed: sql`true` },
];

/** Lists the stored files that rows need, in pages, by key. */
export async function* listStoredMedia(db: Db | Tx): AsyncGenerator<MediaLine[]> {
  for (let last = ''; ;) {
    const pages = SOURCES.map(
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
  const all = SOURCES.map(
    ({ name, needed }) => sql`(select storage_key as key, size_bytes::float8 as size_bytes, sha256
      from ${sql.identifier(name)} where ${needed})`,
  );
  return readRows<MediaLine>(
    db,
    sql`select * from (${sql.join(all, sql` union all `)}) as files order by random() limit ${count}`,
  );
}
