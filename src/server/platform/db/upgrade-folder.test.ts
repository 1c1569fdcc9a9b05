import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PGlite as EarlierPglite } from 'pglite-17';
import { drizzle } from 'drizzle-orm/pglite';
import { migrate } from 'drizzle-orm/pglite/migrator';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { verifyLedger } from '#server/accounts/billing/verify-ledger.ts';
import { systemClock } from '#server/platform/core/clock.ts';
import { openDatabase } from './open-database.ts';
import { MIGRATIONS_FOLDER } from './pending-migrations.ts';
import { generations } from './schema.ts';
import { FOLDER_VERSION } from './upgrade-folder.ts';

const AT = `'2026-01-01T00:00:00Z'`;
const ROWS = `
  insert into organizations (id, name, created_at) values ('org_a', 'Studio', ${AT});
  insert into api_keys (id, organization_id, name, kind, secret_sha256, created_at)
    values ('key_a', 'org_a', 'First key', 'organization', 'abc', ${AT});
  insert into generations (id, organization_id, task, status, input, amount_micro_usd, line_items, billing_status, chain_id, created_by, created_at, updated_at)
    values ('gen_a', 'org_a', 'image.create', 'queued', '{"prompt":"a\\tb"}', 40000, '[]', 'reserved', 'gen_a', 'key_a', ${AT}, ${AT});
  insert into ledger_entries (id, organization_id, type, amount_micro_usd, generation_id, task, key_id, description, created_at)
    values ('led_a', 'org_a', 'ADMIN_CREDIT', 100000000, null, null, null, 'x', ${AT}),
           ('led_b', 'org_a', 'RESERVE', -40000, 'gen_a', 'image.create', 'key_a', 'x', ${AT});`;

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'emulsion-upgrade-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));
const open = () => openDatabase({ database_url: null, data_dir: folder }, pino({ level: 'silent' }));

it(
  'copies the database of an earlier PostgreSQL, says so, and keeps the earlier folder',
  { timeout: 120_000 },
  async () => {
    const earlier = await EarlierPglite.create({ dataDir: join(folder, 'database') });
    await migrate(drizzle({ client: earlier as never }), { migrationsFolder: MIGRATIONS_FOLDER });
    await earlier.exec(ROWS);
    await earlier.close();
    const database = await open();
    expect(database.notice).toBe(
      `The embedded database was upgraded from PostgreSQL 17 to 18. The earlier one is kept in ${folder}/database-17: delete it when everything works.`,
    );
    expect(database.is_new_queue).toBe(true);
    expect(await verifyLedger({ db: database.db, clock: systemClock }, 'org_a')).toMatchObject({
      ok: true,
      checked_entries: 2,
    });
    expect(await database.db.select().from(generations)).toMatchObject([{ id: 'gen_a', input: { prompt: 'a\tb' } }]);
    await database.close();
    expect((await readdir(folder)).sort()).toEqual(['database', 'database-17', 'lock', 'reserve']);
    // The version of the installed PGlite; FOLDER_VERSION names the one that the code expects.
    expect((await readFile(join(folder, 'database/PG_VERSION'), 'utf8')).trim()).toBe(FOLDER_VERSION);
  },
);

it.each([
  ['16', /is of PostgreSQL 16, and this version has 18: start the version of Emulsion before it, run .* backup FILE/],
  ['99', /was upgraded by a newer version of Emulsion/],
])('does not touch a folder of PostgreSQL %s', async (version, message) => {
  await writeFile(join(folder, 'database/PG_VERSION'), `${version}\n`);
  await expect(open()).rejects.toThrow(message);
  expect((await readdir(folder)).sort()).toEqual(['database', 'database-17', 'lock', 'reserve']);
});
