import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sharedPostgres } from '#server/app/testing/shared-postgres.ts';
import { unpackPreparedDatabase } from '#server/app/testing/prepared-database.ts';
import { describePlan } from '#server/app/cli/migrate-command.ts';
import type { Db } from './db.ts';
import { readMigrationPlan } from './migration-plan.ts';
import { openDatabase, openUnmigratedDatabase, type UnmigratedDatabase } from './open-database.ts';
import { NewerDatabaseError, readJournal } from './pending-migrations.ts';

const log = pino({ level: 'silent' });
const postgres = await sharedPostgres();
const journal = await readJournal();

const rememberMigration = (db: Db, when: number) =>
  db.execute(sql`insert into drizzle.__drizzle_migrations (hash, created_at) values ('x', ${when})`);
const forgetMigrationsAfter = (db: Db, when: number) =>
  db.execute(sql`delete from drizzle.__drizzle_migrations where created_at > ${when}`);
const lastOf = (tag_count: number) => journal.at(-1 - tag_count)?.when ?? 0;

function testPlans(prepare: () => Promise<{ database_url: string | null; data_dir: string }>): void {
  let config: { database_url: string | null; data_dir: string };
  let opened: UnmigratedDatabase;
  beforeAll(async () => {
    config = await prepare();
    opened = await openUnmigratedDatabase(config, log);
  });
  afterAll(() => opened.close());

  it('has nothing pending on a current database', async () => {
    expect(describePlan(await readMigrationPlan(opened.db))).toEqual(['No migration is pending.']);
  });

  it('lists what an older database lacks, with the sizes of locked tables, and changes nothing', async () => {
    await opened.db.execute(sql`analyze organizations`);
    await forgetMigrationsAfter(opened.db, lastOf(2));
    const plan = await readMigrationPlan(opened.db);
    expect(plan.pending.map(({ tag }) => tag)).toEqual(journal.slice(-2).map(({ tag }) => tag));
    expect(describePlan(plan)[0]).toBe('2 migrations are pending:');
    expect(plan.sizes.get('organizations')).toEqual({
      size: expect.stringMatching(/^\d+ (bytes|kB)$/),
      row_count: expect.any(Number),
    });
    expect(await readMigrationPlan(opened.db)).toEqual(plan);
    await Promise.all(journal.slice(-2).map(({ when }) => rememberMigration(opened.db, when)));
  });

  it('refuses a database that a newer version upgraded, and leaves it unchanged', async () => {
    const newer = (journal.at(-1)?.when ?? 0) + 1;
    await rememberMigration(opened.db, newer);
    await expect(readMigrationPlan(opened.db)).rejects.toThrow(NewerDatabaseError);
    await expect(opened.migrate()).rejects.toThrow(NewerDatabaseError);
    await opened.close();
    await expect(openDatabase(config, log)).rejects.toThrow(NewerDatabaseError);
    opened = await openUnmigratedDatabase(config, log);
    await forgetMigrationsAfter(opened.db, newer - 1);
    await opened.migrate();
  });
}

describe('the plan of the embedded database', () => {
  let data_dir: string;
  afterAll(() => rm(data_dir, { recursive: true, force: true }));
  testPlans(async () => {
    data_dir = await mkdtemp(join(tmpdir(), 'emulsion-plan-'));
    await unpackPreparedDatabase(join(data_dir, 'database'));
    return { database_url: null, data_dir };
  });
});

describe.skipIf(!postgres)('the plan of PostgreSQL', () => {
  testPlans(async () => ({ database_url: (await postgres?.createDatabase()) ?? null, data_dir: '' }));
});

describe('the lines of a plan', () => {
  it('have one for each migration and name the locked tables', () => {
    const pending = [
      { tag: '0001_a', changes: ['creates table b', 'adds 1 column to c'], locked: ['c'], read_only: ['d'] },
      { tag: '0002_b', changes: ['adds 1 index to b'], locked: [], read_only: ['b', 'c'] },
    ];
    const sizes = new Map([
      ['c', { size: '12 MB', row_count: 1_234_567 }],
      ['d', { size: '8 kB', row_count: null }],
    ]);
    expect(describePlan({ pending, sizes })).toEqual([
      '2 migrations are pending:',
      '0001_a: creates table b, adds 1 column to c',
      '0002_b: adds 1 index to b',
      'Not readable meanwhile: c (about 1,234,567 rows, 12 MB)',
      'Not writable meanwhile: d (8 kB)',
      'All are applied in one transaction: if one fails, the database stays as it is.',
    ]);
  });
});
