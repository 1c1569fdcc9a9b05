import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { sql } from 'drizzle-orm';
import { execa } from 'execa';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { listTables, readRows } from '#server/platform/db/rows/list-tables.ts';
import { createMedia } from '#server/platform/media/testing/create-media.ts';
import type { Db } from '#server/platform/db/db.ts';
import { postgresProgram } from '../postgres-program.ts';
import { sharedPostgres } from '../shared-postgres.ts';
import { withFilledService } from './fill-tables.ts';
import { writeRelease } from './release-files.ts';

/** Set by `npm run release:databases`, which keeps the databases of this version. */
const isRecording = process.env['RECORD_RELEASE'] === '1';
const postgres = await sharedPostgres();

let folder: string;
const picture = () => join(folder, 'picture.png');
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'emulsion-release-'));
  await createMedia(picture(), '-f lavfi -i testsrc=s=64x36 -frames:v 1 -update 1'.split(' '));
});
afterAll(() => rm(folder, { recursive: true }));

/** A table that is added needs rows in `fill-tables.ts`, so that upgrades of the next release are tested with them. */
async function expectFilled(db: Db): Promise<string[]> {
  const names = (await listTables(db)).map(({ name }) => name);
  const counts = names.map((name) =>
    readRows(db, sql`select 1 from ${sql.identifier(name)} limit 1`).then(({ length }) => [name, length] as const),
  );
  expect((await Promise.all(counts)).filter(([, count]) => count === 0)).toEqual([]);
  return names;
}

it.runIf(postgres)('fills every table on PostgreSQL', async () => {
  const url = (await postgres?.createDatabase()) ?? '';
  const tables = await withFilledService(url, picture(), ({ deps }) => expectFilled(deps.db));
  if (isRecording) await writeRelease('postgres.sql', await dumpPostgres(url), tables);
});

it('fills every table on the embedded database', async () => {
  await withFilledService(null, picture(), async ({ deps: { db } }) => {
    const tables = await expectFilled(db);
    if (!isRecording) return;
    if (!('$client' in db && db.$client instanceof PGlite)) throw new Error('Not the embedded database.');
    await writeRelease('embedded.tar', await dumpEmbedded(db.$client), tables);
  });
});

/** The folder of the database without the part of its log that is no longer needed, which is most of it. */
async function dumpEmbedded(lite: PGlite): Promise<Uint8Array> {
  for (const statement of ['vacuum', 'select pg_switch_wal()', 'checkpoint']) await lite.exec(statement);
  const { rows } = await lite.query<{ name: string }>(
    'select name from pg_ls_waldir() where name <> pg_walfile_name(pg_current_wal_lsn())',
  );
  const [file, unpacked] = [join(folder, 'embedded.tar'), join(folder, 'embedded')];
  const dump = await lite.dumpDataDir('none');
  await writeFile(file, new Uint8Array(await dump.arrayBuffer()));
  await mkdir(unpacked);
  await execa('tar', ['--extract', '--file', file, '--directory', unpacked]);
  for (const { name } of rows) await rm(join(unpacked, 'pg_wal', name));
  await execa('tar', ['--create', '--file', file, '--directory', unpacked, '.']);
  return readFile(file);
}

/** Statements that any client can run; the lines for psql alone are left out. */
async function dumpPostgres(url: string): Promise<Buffer> {
  const options = ['--inserts', '--rows-per-insert=100', '--no-owner', '--no-privileges'];
  const { stdout } = await execa(postgresProgram('pg_dump'), [...options, url]);
  return Buffer.from(stdout.replace(/^\\(?:un)?restrict .*\n/gm, ''));
}
