import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { PGlite } from '@electric-sql/pglite';
import { sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/pglite';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { verifyLedger } from '#server/accounts/billing/ledger/verify-ledger.ts';
import { describePlan } from '#server/app/cli/migrate-command.ts';
import { unpackPreparedDatabase } from '#server/app/testing/prepared-database.ts';
import { sharedPostgres } from '#server/app/testing/shared-postgres.ts';
import { systemClock } from '#server/platform/core/clock.ts';
import type { Db } from './db.ts';
import { migrate, migratePostgres } from './migrate.ts';
import { readMigrationPlan } from './migration-plan.ts';
import { type Database, openDatabase, openUnmigratedDatabase, type UnmigratedDatabase } from './open-database.ts';
import { MIGRATIONS_FOLDER, NewerDatabaseError, readJournal, readNewestMigration } from './pending-migrations.ts';
import { fillDatabase } from './rows/fill-database.ts';
import { readRows } from './rows/list-tables.ts';
import { inSnapshot, readTables, type TableChunk } from './rows/read-tables.ts';
import { generations } from './schema/schema.ts';

interface DatabaseConfig {
  databaseUrl: string | null;
  dataDir: string;
}

const log = pino({ level: 'silent' });
const postgres = await sharedPostgres();
const journal = await readJournal();
const newest = journal.at(-1)?.when ?? 0;

const AT = `'2026-01-01T00:00:00Z'`;
const ROWS = [
  `insert into organizations (id, name, created_at) values ('org_a', 'Studio', ${AT})`,
  `insert into api_keys (id, organization_id, name, kind, secret_sha256, created_at)
    values ('key_a', 'org_a', 'First key', 'organization', 'abc', ${AT})`,
  String.raw`insert into generations (id, organization_id, task, status, input, amount_micro_usd, line_items, billing_status, chain_id, created_by, created_at, updated_at)
    values ('gen_a', 'org_a', 'image.create', 'queued', '{"prompt":"a\tb"}', 40000, '[]', 'reserved', 'gen_a', 'key_a', ${AT}, ${AT})`,
  `insert into ledger_entries (id, organization_id, type, amount_micro_usd, generation_id, task, key_id, description, created_at)
    values ('led_a', 'org_a', 'ADMIN_CREDIT', 100000000, null, null, null, 'x', ${AT}),
           ('led_b', 'org_a', 'RESERVE', -40000, 'gen_a', 'image.create', 'key_a', 'x', ${AT})`,
];

/** A migration of a later version: what an upgrade typically does. */
const FURTHER = `CREATE TABLE "notes" ("organization_id" text PRIMARY KEY NOT NULL, "text" text NOT NULL);
--> statement-breakpoint
ALTER TABLE "organizations" ADD COLUMN "motto" text DEFAULT 'none' NOT NULL;
--> statement-breakpoint
INSERT INTO "notes" ("organization_id", "text") SELECT "id", "name" FROM "organizations";
--> statement-breakpoint
CREATE INDEX "generations_further" ON "generations" ("task");`;
const FURTHER_TAG = `${String(journal.length).padStart(4, '0')}_further`;

let folder: string;
/** The migrations of a later version: those of this one, and one more. */
let laterMigrations: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'emulsion-migrate-'));
  laterMigrations = join(folder, 'migrations');
  await cp(MIGRATIONS_FOLDER, laterMigrations, { recursive: true });
  await writeFile(join(laterMigrations, `${FURTHER_TAG}.sql`), FURTHER);
  const further = { idx: journal.length, version: '7', when: newest + 1, tag: FURTHER_TAG, breakpoints: true };
  await writeFile(join(laterMigrations, 'meta/_journal.json'), JSON.stringify({ entries: [...journal, further] }));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function migrateByLaterVersion({ queue }: Database): Promise<void> {
  if ('postgres' in queue) return migratePostgres(queue.postgres, laterMigrations);
  if (!(queue.pglite instanceof PGlite)) throw new Error('Not the embedded database.');
  await migrate(drizzle({ client: queue.pglite }), laterMigrations);
}

async function expectUpgradedRows(db: Db): Promise<void> {
  expect(await db.select().from(generations)).toMatchObject([{ id: 'gen_a', input: { prompt: 'a\tb' } }]);
  expect(await verifyLedger({ db, clock: systemClock }, 'org_a')).toMatchObject({ ok: true, checked_entries: 2 });
  const upgraded = sql`select name, motto, text from organizations join notes on organization_id = id`;
  expect(await readRows(db, upgraded)).toEqual([{ name: 'Studio', motto: 'none', text: 'Studio' }]);
}

function testUpgrade(prepare: () => Promise<DatabaseConfig>, prepareEmpty: () => Promise<DatabaseConfig>): void {
  let config: DatabaseConfig;
  let opened: UnmigratedDatabase;
  beforeAll(async () => {
    config = await prepare();
    opened = await openUnmigratedDatabase(config, log);
    for (const statement of ROWS) await opened.db.execute(sql.raw(statement));
  });
  afterAll(() => opened.close());

  it('has nothing pending in this version', async () => {
    expect(describePlan(await readMigrationPlan(opened.db))).toEqual(['No migration is pending.']);
  });

  it('is described before a later version upgrades it, and stays as it is', async () => {
    await opened.db.execute(sql`analyze organizations`);
    const plan = await readMigrationPlan(opened.db, laterMigrations);
    expect(plan.pending).toEqual([
      {
        tag: FURTHER_TAG,
        changes: [
          'creates table notes',
          'adds 1 column to organizations',
          'inserts rows into notes',
          'adds 1 index to generations',
        ],
        locked: ['organizations'],
        read_only: ['generations'],
      },
    ]);
    expect(plan.sizes.get('organizations')).toEqual({ size: expect.stringMatching(/^\d+ (bytes|kB)$/), row_count: 1 });
    expect(await readMigrationPlan(opened.db, laterMigrations)).toEqual(plan);
  });

  it('can be copied to a later version, which upgrades the rows', async () => {
    const target = await openUnmigratedDatabase(await prepareEmpty(), log);
    try {
      const { when } = await readNewestMigration(opened.db);
      // The snapshot ends first: within its transaction no other embedded database can be used.
      const chunks: TableChunk[] = [];
      await inSnapshot(opened.db, async (snapshot) => {
        for await (const chunk of readTables(snapshot)) chunks.push(chunk);
      });
      const options = { migrationsFolder: laterMigrations };
      await fillDatabase(target.db, when, Readable.from(chunks), options);
      await expectUpgradedRows(target.db);
      await expect(target.migrate()).rejects.toThrow(NewerDatabaseError);
    } finally {
      await target.close();
    }
  });

  it('keeps its rows when a later version upgrades it, which this version then refuses', async () => {
    await migrateByLaterVersion(opened);
    await expectUpgradedRows(opened.db);
    expect((await readMigrationPlan(opened.db, laterMigrations)).pending).toEqual([]);
    await expect(readMigrationPlan(opened.db)).rejects.toThrow(NewerDatabaseError);
    await expect(opened.migrate()).rejects.toThrow(NewerDatabaseError);
    await opened.close();
    await expect(openDatabase(config, log)).rejects.toThrow(NewerDatabaseError);
    opened = await openUnmigratedDatabase(config, log);
    await expectUpgradedRows(opened.db);
  });
}

describe('the embedded database', () => {
  testUpgrade(
    async () => {
      const dataDir = join(folder, 'embedded');
      await unpackPreparedDatabase(join(dataDir, 'database'));
      return { databaseUrl: null, dataDir };
    },
    async () => ({ databaseUrl: null, dataDir: join(folder, 'empty') }),
  );
});

describe.skipIf(!postgres)('PostgreSQL (needs PostgreSQL)', () => {
  testUpgrade(
    async () => ({ databaseUrl: (await postgres?.createDatabase()) ?? null, dataDir: '' }),
    async () => ({ databaseUrl: (await postgres?.createEmptyDatabase()) ?? null, dataDir: '' }),
  );
});
