import { mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { sql } from 'drizzle-orm';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { loadPreparedDatabase } from '#server/app/testing/prepared-database.ts';
import { FolderLockedError } from './embedded/lock-folder.ts';
import { maintainPglite, openDatabase, openPglite, type Database } from './open-database.ts';
import { organizations } from './schema/organization-schema.ts';

const log = pino({ level: 'silent' });
let dataDir: string;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'database-'));
});
afterAll(() => rm(dataDir, { recursive: true }));

const open = (): Promise<Database> => openDatabase({ databaseUrl: null, dataDir }, log);

it('persists data, locks its folder while open, and limits shared buffers', async () => {
  const first = await open();
  await first.db.insert(organizations).values({ id: 'org_x', name: 'Studio', created_at: new Date(0) });
  expect(await first.db.execute(sql`show shared_buffers`)).toMatchObject({ rows: [{ shared_buffers: '16MB' }] });
  await expect(open()).rejects.toThrow(FolderLockedError);
  await first.close();
  const second = await open();
  expect(await second.db.select().from(organizations)).toMatchObject([{ id: 'org_x', created_at: new Date(0) }]);
  await second.close();
});

it('opens a database that was complete when its restore was interrupted', async () => {
  await rename(join(dataDir, 'database'), join(dataDir, 'database.ready'));
  const database = await open();
  expect(await database.db.select().from(organizations)).toMatchObject([{ id: 'org_x' }]);
  await database.close();
  expect((await readdir(dataDir)).sort()).toEqual(['database', 'lock', 'reserve']);
});

it.each(['17', '19'])('does not touch a folder of PostgreSQL %s', async (version) => {
  const file = join(dataDir, 'database/PG_VERSION');
  const installed = await readFile(file, 'utf8');
  await writeFile(file, `${version}\n`);
  await expect(open()).rejects.toThrow(
    `is of PostgreSQL ${version}, and this version of Emulsion has ${installed.trim()}: run \`npm run admin -- backup FILE\``,
  );
  expect((await readdir(dataDir)).sort()).toEqual(['database', 'lock', 'reserve']);
  await writeFile(file, installed);
});

it('throws if the root connection is used inside a transaction, which would hang', async () => {
  const { db, close } = await openPglite({ dump: await loadPreparedDatabase(log) }, log);
  await expect(db.transaction(() => db.execute(sql`select 1`))).rejects.toThrow();
  expect(await db.transaction((tx) => tx.execute(sql`select 1 as one`))).toMatchObject({ rows: [{ one: 1 }] });
  await close();
});

it('is vacuumed and checkpointed while the service runs', async () => {
  const { queue, close } = await openPglite({ dump: await loadPreparedDatabase(log) }, log);
  if (!('pglite' in queue && queue.pglite instanceof PGlite)) throw new Error('Not the embedded database.');
  await maintainPglite(queue.pglite);
  const { rows } = await queue.pglite.query(
    `select last_vacuum is not null as vacuumed from pg_stat_user_tables where relname = 'accounts'`,
  );
  expect(rows).toEqual([{ vacuumed: true }]);
  await close();
});
