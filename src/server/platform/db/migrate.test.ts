import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { getTableName, isNotNull, sql } from 'drizzle-orm';
import type { PgTable } from 'drizzle-orm/pg-core';
import { drizzle, type PgliteDatabase } from 'drizzle-orm/pglite';
import { migrate } from 'drizzle-orm/pglite/migrator';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { verifyLedger } from '#server/accounts/billing/verify-ledger.ts';
import { BufferedBlob } from '#server/app/testing/prepared-database.ts';
import { alerts, ledgerVerifications } from './alert-schema.ts';
import { auditEvents } from './audit-schema.ts';
import { budgets, ledgerEntries, tags } from './billing-schema.ts';
import { mediaUses } from './library-schema.ts';
import { migratePglite } from './migrate.ts';
import { apiKeys, organizations } from './organization-schema.ts';
import { people } from './people-schema.ts';
import { providerConnections, providerCredentials } from './provider-schema.ts';
import { requests } from './request-schema.ts';
import { generations, uploads } from './schema.ts';
import { sessions } from './session-schema.ts';
import { generationTags, tagValues } from './tag-schema.ts';
import { releasedRows } from './testing/released-data.ts';
import { webhookDeliveries, webhookEvents } from './webhook-schema.ts';
import { workflowRuns } from './workflow-schema.ts';

interface Journal {
  entries: { idx: number; tag: string }[];
}
const FOLDER = join(import.meta.dirname, 'migrations');
const journal = JSON.parse(await readFile(join(FOLDER, 'meta/_journal.json'), 'utf8')) as Journal;

const UPLOAD = 'upl_01m7y6v0gyeg6ksk7hyezzk3qs';
const LINK = `http://localhost:8787/media/${UPLOAD}?expires=1&sig=x`;

const DATA = `
  insert into organizations values ('org_a', 'Studio', '2026-01-01T00:00:00Z');
  insert into api_keys (id, organization_id, name, kind, secret_sha256, created_at)
    values ('key_a', 'org_a', 'First key', 'organization', 'abc', '2026-01-01T00:00:00Z');
  insert into generations (id, organization_id, task, status, input, amount_micro_usd, line_items, billing_status, chain_id, created_by, created_at, updated_at)
    values ('gen_a', 'org_a', 'image.create', 'queued', '{"prompt":"x"}', 40000, '[]', 'reserved', 'gen_a', 'key_a', '2026-01-01T00:00:00Z', '2026-01-01T00:00:00Z');
  insert into uploads (id, organization_id, created_by, type, mime_type, storage_key, size_bytes, sha256, created_at)
    values ('${UPLOAD}', 'org_a', 'key_a', 'image', 'image/png', 'uploads/a.png', 1, 'x', '2026-01-01T00:00:00Z');
  insert into generations (id, organization_id, task, status, input, amount_micro_usd, line_items, billing_status, chain_id, created_by, created_at, updated_at)
    values ('gen_b', 'org_a', 'image.edit', 'failed', '{"prompt":"x","first_frame":{"url":"${LINK}"},"images":[{"url":"https://a.example/media/x"},{"url":"${LINK}"}],"seed":null}', 0, '[]', 'released', 'gen_b', 'key_a', '2026-01-01T00:00:00Z', '2026-01-01T00:00:00Z');
  insert into generations (id, organization_id, task, status, input, amount_micro_usd, line_items, billing_status, chain_id, created_by, created_at, updated_at)
    values ('gen_c', 'org_a', 'video.create', 'failed', jsonb_build_object('prompt', repeat('x', 5000), 'seed', 7, 'reference_images', jsonb_build_array(jsonb_build_object('url', repeat('y', 4000)))), 0, '[]', 'released', 'gen_c', 'key_a', '2026-01-01T00:00:00Z', '2026-01-01T00:00:00Z');`;
const RUNS = `
  insert into workflow_runs (id, organization_id, starter_slug, starter_name, definition, input, status, chain_id, created_by, created_at, updated_at)
    values ('run_a', 'org_a', 'a', 'A', '{"steps":[{"key":"one","name":"One","task":"video.trim","needs":[]},{"key":"two","name":"Two","task":"image.create","model":"imgmodel-a-2","needs":["one"],"for_each":"steps.one"}]}', json_build_object('text', repeat('x', 5000)), 'failed', 'run_a', 'key_a', '2026-01-01T00:00:00Z', '2026-01-01T00:00:00Z');`;
/** Before `0003_money` the service itself maintained the account. */
const ENTRIES = `
  insert into accounts (organization_id, available_micro_usd, reserved_micro_usd, spent_micro_usd, last_seq) values ('org_a', 99960000, 40000, 0, 2);
  insert into ledger_entries (id, organization_id, seq, type, amount_micro_usd, available_after_micro_usd, balance_after_micro_usd, generation_id, description, created_at)
    values ('led_a', 'org_a', 1, 'ADMIN_CREDIT', 100000000, 100000000, 100000000, null, 'x', '2026-01-01T00:00:00Z'),
           ('led_b', 'org_a', 2, 'RESERVE', -40000, 99960000, 100000000, 'gen_a', 'x', '2026-01-01T00:00:00Z');`;
/** Since `0003_money` the database maintains the account and orders entries. */
const APPENDED = `
  insert into ledger_entries (id, organization_id, type, amount_micro_usd, generation_id, task, key_id, description, created_at)
    values ('led_a', 'org_a', 'ADMIN_CREDIT', 100000000, null, null, null, 'x', '2026-01-01T00:00:00Z'),
           ('led_b', 'org_a', 'RESERVE', -40000, 'gen_a', 'image.create', 'key_a', 'x', '2026-01-01T00:00:00Z');`;
const FIRST_THAT_APPENDS = 3;
const FIRST_THAT_NOTES_USES = 5;
const FIRST_WITH_RUNS = 8;
/** From here on the service writes excerpts itself, so the data above have none. */
const FIRST_WITH_EXCERPTS = 14;

let folder: string;
/** An empty database; creating one takes seconds. */
let empty: Blob;
beforeAll(async () => {
  const lite = await PGlite.create();
  empty = new BufferedBlob(await (await lite.dumpDataDir('none')).arrayBuffer());
  await lite.close();
  folder = await mkdtemp(join(tmpdir(), 'migrations-'));
  await cp(FOLDER, folder, { recursive: true });
});
afterAll(() => rm(folder, { recursive: true }));

it.each(journal.entries)('migrates the data of $tag to the current schema', async ({ idx }) => {
  const entries = journal.entries.filter((entry) => entry.idx <= idx);
  await writeFile(join(folder, 'meta/_journal.json'), JSON.stringify({ ...journal, entries }));
  const old = await PGlite.create({ loadDataDir: empty });
  await migrate(drizzle({ client: old }), { migrationsFolder: folder });
  await old.exec(DATA + (idx < FIRST_THAT_APPENDS ? ENTRIES : APPENDED));
  if (idx >= FIRST_WITH_RUNS) await old.exec(RUNS);
  await old.exec(releasedRows(idx));
  const db = drizzle({ client: old });
  await migratePglite(db);
  const keys = await db.select().from(apiKeys).orderBy(apiKeys.id);
  expect(keys[0]).toMatchObject({ id: 'key_a', secret_sha256: 'abc', is_person: false, scopes: null });
  const [gen_a, gen_b, gen_c] = await db.select().from(generations).orderBy(generations.id);
  expect([gen_a, gen_b, gen_c]).toMatchObject([
    { id: 'gen_a', input: { prompt: 'x' }, amount_micro_usd: 40_000n },
    { id: 'gen_b', input_excerpt: null },
    { id: 'gen_c', input_excerpt: idx < FIRST_WITH_EXCERPTS ? { prompt: `${'x'.repeat(1_000)}…`, seed: 7 } : null },
  ]);
  if (idx >= FIRST_WITH_RUNS && idx < FIRST_WITH_EXCERPTS) {
    const [run] = await db.select().from(workflowRuns);
    expect(run).toMatchObject({ input_excerpt: { text: `${'x'.repeat(1_000)}…` }, output_excerpt: null });
    expect(run?.outline).toEqual([
      { key: 'one', name: 'One', task: 'video.trim', model: null, needs: [], is_list: false },
      { key: 'two', name: 'Two', task: 'image.create', model: 'imgmodel-a-2', needs: ['one'], is_list: true },
    ]);
  }
  if (idx < FIRST_THAT_NOTES_USES) {
    const use = { generation_id: 'gen_b', organization_id: 'org_a', media_id: UPLOAD, media_type: 'image' };
    expect(await db.select().from(mediaUses).orderBy(mediaUses.field)).toEqual([
      { ...use, field: 'first_frame' },
      { ...use, field: 'images.1' },
    ]);
  }
  expect(await db.select().from(ledgerEntries).orderBy(ledgerEntries.seq)).toMatchObject([
    { id: 'led_a', seq: 1n, amount_micro_usd: 100_000_000n },
    { id: 'led_b', seq: 2n, amount_micro_usd: -40_000n },
  ]);
  const clock = { now: () => new Date('2026-02-01T00:00:00Z') };
  expect(await verifyLedger({ db, clock }, 'org_a')).toMatchObject({ ok: true, checked_entries: 2 });
  await expectReleasedRows(db, idx);
  await old.close();
});

/** Expects the rows of `releasedRows` in the current schema. */
async function expectReleasedRows(db: PgliteDatabase, idx: number): Promise<void> {
  const count = (since: number) => (idx >= since ? 1 : 0);
  const at = new Date('2026-01-01T00:00:00Z');
  const later = new Date('2026-01-02T00:00:00Z');
  const monthly = { interval: 'month', interval_start: '2026-01-01', extra_micro_usd: 0n, updated_by: null };
  const expectRows = async (table: PgTable, rows: object[]) =>
    expect([getTableName(table), await db.select().from(table)]).toMatchObject([getTableName(table), rows]);
  const repeat = (since: number, row: object) => Array.from({ length: count(since) }, () => row);

  const budget_rows = await db.select().from(budgets).orderBy(budgets.id);
  if (idx >= 3)
    expect(budget_rows).toMatchObject([
      { id: 'key_a', scope: 'key:key_a', limit_micro_usd: 20_000_000n, spent_micro_usd: 1_000_000n, ...monthly },
      { id: 'organization', scope: 'organization', reserved_micro_usd: 40_000n, ...monthly },
    ]);
  await expectRows(webhookEvents, repeat(4, { id: 'evt_a', generation_id: 'gen_a', object: { id: 'gen_a' } }));
  await expectRows(webhookDeliveries, repeat(4, { id: 'whd_a', event_id: 'evt_a', status: 'pending' }));
  // Before people, sessions had no ids: everyone signs in again.
  await expectRows(sessions, repeat(18, { id: 'ses_a', key_id: 'key_a' }));
  const preferred_at = idx >= 22 ? later : null;
  await expectRows(providerConnections, repeat(15, { id: 'prv_a', state: 'active', preferred_at }));
  await expectRows(providerCredentials, repeat(15, { connection_id: 'prv_a', sealed_key: 'sealed' }));
  // Nobody had confirmed the address before it could be pending.
  const address = 'anna@a.example';
  const addresses = idx < 36 ? { email: null, pending_email: address } : { email: address, pending_email: null };
  await expectRows(people, repeat(18, { id: 'per_a', key_id: 'key_p', ...addresses }));
  await expectRows(tags, repeat(18, { name: 'project', required: true, values: ['Alpha'] }));
  await expectRows(auditEvents, repeat(18, { id: 'aud_a', seq: 1n, created_at: at }));
  await expectRows(requests, repeat(19, { id: 'req_a', status: 'pending', media_ids: [], generation_id: null }));
  const trashed = await db.select().from(uploads).where(isNotNull(uploads.trashed_at));
  expect(trashed).toMatchObject(repeat(20, { id: 'upl_trashed', trashed_at: later }));
  await expectRows(alerts, repeat(24, { id: 'alt_a', resolved_at: null }));
  await expectRows(ledgerVerifications, repeat(24, { date: '2026-01-01', head_seq: 2n }));

  const used_tags = await db.select().from(generationTags).orderBy(generationTags.name, generationTags.generation_id);
  const values = ['client=B, C', 'project=Alpha'];
  expect(used_tags.map(({ name, value, generation_id }) => `${name}=${value} ${generation_id}`)).toEqual(
    idx >= 18 ? values.flatMap((value) => [`${value} gen_d`, `${value} gen_e`]) : [],
  );
  const suggestions = await db.select().from(tagValues).orderBy(tagValues.name);
  expect(suggestions.map(({ name, value }) => `${name}=${value}`)).toEqual(idx >= 18 ? values : []);
  for (const { last_used_at } of suggestions) expect(last_used_at).toEqual(later);

  const { rows } = await db.execute(sql`select seq, generation_id, words::text from ledger_words`);
  expect(rows).toEqual([{ seq: 1, generation_id: null, words: "'x'" }]);
  const organization = { low_balance_micro_usd: 5_000_000n, alert_mail_roles: ['administrator'] };
  await expectRows(organizations, [{ ...organization, members_see_own_work_only: false }]);
}
