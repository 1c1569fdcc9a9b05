import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import { execa } from 'execa';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSession } from '#server/accounts/keys/sessions.ts';
import { createApp } from '#server/http/create-app.ts';
import { type Config, readConfig } from '#server/platform/core/settings/config.ts';
import { readRows } from '#server/platform/db/rows/list-tables.ts';
import type { Deps } from '#server/platform/deps.ts';
import { composeService, createLogger } from '../../compose.ts';
import { sharedPostgres } from '../shared-postgres.ts';
import { createTestClient, findContractProblem } from '../test-client.ts';
import { describeRelease, hashMigrations, listReleases, readRelease } from './release-files.ts';
import { listReads, readSample } from './read-requests.ts';

const versions = await listReleases();
const postgres = await sharedPostgres();

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'emulsion-upgrade-'));
});
afterAll(() => rm(folder, { recursive: true }));

it('keeps a database of every version that the changelog dates', async () => {
  const changelog = await readFile(join(import.meta.dirname, '../../../../../docs/changelog.md'), 'utf8');
  const dated = [...changelog.matchAll(/^## (\d+\.\d+\.\d+), \d/gm)].map(([, version]) => version);
  expect(versions).toEqual(expect.arrayContaining(dated));
});

/** The embedded database of a version, or one of PostgreSQL with its tables. */
async function unpack(version: string, database: 'PostgreSQL' | 'PGlite'): Promise<Config> {
  const dataDir = join(folder, `${version}-${database}`);
  const env = { DATA_DIR: dataDir, SECRET_KEY: 'a secret of the tests', LOG_LEVEL: 'silent' };
  if (database === 'PGlite') {
    const archive = join(folder, `${version}.tar`);
    await writeFile(archive, await readRelease(version, 'embedded.tar'));
    await mkdir(join(dataDir, 'database'), { recursive: true });
    await execa('tar', ['--extract', '--file', archive, '--directory', join(dataDir, 'database')]);
    return readConfig(env);
  }
  const url = (await postgres?.createEmptyDatabase()) ?? '';
  const client = new Client({ connectionString: url, options: '-c standard_conforming_strings=on' });
  await client.connect();
  await client.query((await readRelease(version, 'postgres.sql')).toString());
  await client.end();
  return readConfig({ ...env, DATABASE_URL: url });
}

/** Returns a client with a session of the first administrator. */
async function createAdministrator(deps: Deps, config: Config) {
  const [person] = await readRows<{ key_id: string }>(
    deps.db,
    sql`select key_id from people where role = 'administrator' and removed_at is null order by id limit 1`,
  );
  const session = await createSession(deps, person?.key_id ?? '', { method: 'link' });
  const app = await createApp({ ...deps, config: { ...config, rateLimitPerMinute: 10_000 } });
  const secret = session?.secret ?? '';
  return { app, headers: { authorization: `Bearer ${secret}` }, ...createTestClient(app, secret) };
}

describe.each(versions)('%s', (version) => {
  it('has migrations that nobody has changed since', async () => {
    expect(await hashMigrations()).toMatchObject((await describeRelease(version)).migrations);
  });

  it.each(postgres ? (['PostgreSQL', 'PGlite'] as const) : (['PGlite'] as const))(
    'is upgraded on %s with all rows, a ledger that is verified, and every page',
    async (database) => {
      const config = await unpack(version, database);
      const { deps, database: opened } = await composeService(config, createLogger(config));
      const client = await createAdministrator(deps, config);
      try {
        expect((await client.call('get_verification')).body).toMatchObject({ ok: true });
        for (const table of (await describeRelease(version)).tables) {
          const rows = await readRows(deps.db, sql`select 1 from ${sql.identifier(table)} limit 1`);
          expect([table, rows.length]).toEqual([table, 1]);
        }
        const failures: string[] = [];
        for (const { name, url } of listReads(await readSample(deps.db))) {
          const { statusCode, payload } = await client.app.inject({ url, headers: client.headers });
          const problem = statusCode === 200 ? findContractProblem(name, statusCode, payload) : payload;
          if (problem !== null) failures.push(`${url}: ${statusCode} ${problem}`);
        }
        expect(failures).toEqual([]);
      } finally {
        await client.app.close();
        await deps.queue.stop(1_000);
        await opened.close();
      }
    },
  );
});
