import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { sql } from 'drizzle-orm';
import { pino } from 'pino';
import { listLedger } from '#server/accounts/billing/ledger/list-ledger.ts';
import { type Database, openPglite } from '#server/platform/db/open-database.ts';
import { createSecrets } from '#server/platform/core/secrets.ts';
import { type PageTimes, measureSideBySide } from './measure-side-by-side.ts';

// So many that every filter with any match fills a page.
const FEW = 10_000;
const MANY = 1_000_000;
const ORGANIZATION = 'org_bench';

type Query = Parameters<typeof listLedger>[2];

/** Every filter, and typical combinations; times relative to entry `seq`. */
const queriesAt = (size: number): Record<string, Omit<Query, 'limit' | 'cursor'>> => ({
  all: {},
  type: { type: 'SETTLE' },
  'type, rare': { type: 'ADMIN_CREDIT' },
  'type, none': { type: 'REFUND' },
  generation: { generation_id: `gen_${Math.floor(size / 6)}` },
  'generation, unknown': { generation_id: 'gen_x' },
  run: { workflow_run_id: 'run_1' },
  task: { task: 'image.create' },
  model: { model: 'imgmodel-b-pro' },
  'model, none': { model: 'lipsync-v3' },
  key: { key_id: 'key_7' },
  'key, model, type': { key_id: 'key_7', model: 'imgmodel-a-2', type: 'RELEASE' },
  'task, key': { task: 'video.create', key_id: 'key_3' },
  times: { created_after: timeOf(size * 0.3), created_before: timeOf(size * 0.5) },
  'times, type': { created_before: timeOf(size * 0.5), type: 'SETTLE' },
  'times, model, key': {
    created_after: timeOf(size * 0.2),
    created_before: timeOf(size * 0.4),
    model: 'vidmodel-c-2',
    key_id: 'key_3',
  },
});

const START_MS = Date.UTC(2026, 0, 1);
const SECONDS_APART = 20;
const timeOf = (seq: number): string => new Date(START_MS + Math.floor(seq) * SECONDS_APART * 1000).toISOString();

/** Inserts entries 1 to `to` directly, without the trigger that would append them one by one. */
async function fill({ db }: Database, to: number): Promise<void> {
  for (let first = 1; first <= to; first += 50_000) {
    const last = Math.min(first + 49_999, to);
    await db.execute(sql`
      insert into ledger_entries (id, organization_id, seq, type, amount_micro_usd, generation_id, task, model, workflow_run_id,
        description, key_id, created_at, hash)
      select 'led_' || s, ${ORGANIZATION}, s,
        case when s % 97 = 0 then 'ADMIN_CREDIT' else (array['RESERVE', 'RELEASE', 'SETTLE'])[s % 3 + 1] end, 1,
        case when s % 97 = 0 then null else 'gen_' || s / 3 end,
        case when s % 97 = 0 then null else (array['image.create', 'image.create', 'image.edit', 'video.create'])[s / 3 % 4 + 1] end,
        case when s % 97 = 0 then null else (array['imgmodel-a-2', 'imgmodel-b-pro', 'imgmodel-a-2', 'vidmodel-c-2'])[s / 3 % 4 + 1] end,
        case when s / 3 % 100 = 0 then 'run_' || s / 3000 end,
        'Create an image', case when s % 97 = 0 then null else 'key_' || s / 3 % 20 end,
        ${new Date(START_MS).toISOString()}::timestamptz + s * interval '1 second' * ${SECONDS_APART}::int, repeat('0', 64)
      from generate_series(${first}::int, ${last}::int) as s`);
  }
  await db.execute(sql`vacuum analyze ledger_entries`);
}

async function openDatabase(folder: string, size: number): Promise<Database> {
  const database = await openPglite({ folder }, pino({ level: 'silent' }));
  const { db } = database;
  await db.execute(sql`insert into organizations values (${ORGANIZATION}, 'Bench', now())`);
  // Disables foreign keys too, because the generations do not exist.
  await db.execute(sql`alter table ledger_entries disable trigger all`);
  for (const name of ['sign', 'of_generation', 'covered']) {
    await db.execute(sql.raw(`alter table ledger_entries drop constraint ledger_entries_${name}`));
  }
  await db.execute(sql`alter table accounts disable trigger user`);
  await db.execute(sql`insert into accounts values (${ORGANIZATION}, 0, 0, 0, ${size})`);
  await fill(database, size);
  return database;
}

/** Measures a filtered page of a ledger of 1,000,000 entries and of 10,000, alternating: milliseconds by filter. */
export async function measureLedger(): Promise<PageTimes[]> {
  const folder = await mkdtemp(path.join(tmpdir(), 'emulsion-bench-'));
  const [few, many] = [
    await openDatabase(path.join(folder, 'few'), FEW),
    await openDatabase(path.join(folder, 'many'), MANY),
  ];
  const secrets = createSecrets('a secret of the bench');
  const databases = { few, many };
  try {
    return await measureSideBySide({ few: queriesAt(FEW), many: queriesAt(MANY) }, (size, query) =>
      listLedger({ db: databases[size].db, secrets }, ORGANIZATION, { ...query, limit: 50, cursor: undefined }),
    );
  } finally {
    await Promise.all([few.close(), many.close()]);
    await rm(folder, { recursive: true, force: true });
  }
}
