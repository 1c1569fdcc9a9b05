import { sql } from 'drizzle-orm';
import { pino } from 'pino';
import type { Close } from '#contract/resources/closing.ts';
import { matchMonth } from '#server/accounts/closing/matching/match-month.ts';
import { createKey } from '#server/accounts/keys/create-key.ts';
import { readBilledNames } from '#server/models/connections/read-billed-names.ts';
import { createOrganization } from '#server/app/bootstrap.ts';
import { seedHistory } from '#server/app/testing/seed-history.ts';
import { startPostgres } from '#server/app/testing/test-postgres.ts';
import { openPostgres } from '#server/platform/db/open-database.ts';
import { withLongStatements } from '#server/platform/db/postgres/long-statements.ts';
import { readRows } from '#server/platform/db/rows/list-tables.ts';
import type { Db } from '#server/platform/db/db.ts';
import { startService } from '../support/service.ts';
import { median } from './load.ts';
import { findChild, watchPeak } from './memory.ts';
import { inMs, printCheck, printRow } from './report.ts';

const DAY_MS = 86_400_000;
/** Of a year; a month has about 10,000 jobs at providers. */
const GENERATIONS = 210_000;
const LINES = 1_000_000;
const PROVIDERS = ['alpha', 'beta', 'gamma', 'delta'];
const RUNS = 40;
const MATCH_MS = 10_000;
const MATCH_MIB = 150;
const PAGE_MS = 200;
const unlimited = { PUBLIC_RATE_LIMIT_PER_MINUTE: '1000000', RATE_LIMIT_PER_MINUTE: '1000000' };

/** Measures reading and matching the bills of 10,000 orders at four providers, and pages at a million bill lines. */
export async function measureClosing(): Promise<void> {
  const postgres = await startPostgres();
  if (!postgres) {
    process.stdout.write('closing: not measured, because initdb is not installed\n');
    return;
  }
  const databaseUrl = await postgres.createDatabase();
  const database = await openPostgres(databaseUrl, pino({ level: 'silent' }));
  const { db } = database;
  const now = new Date();
  const [month, large] = [monthBefore(now, 1), monthBefore(now, 3)];
  try {
    const since = new Date(now.getTime() - 366 * DAY_MS);
    const [organization_id, neighborId] = await db.transaction(async (tx) => [
      await createOrganization(tx, 'Large', since),
      await createOrganization(tx, 'Neighbor', since),
    ]);
    await seedHistory(db, { organization_id, neighborId, generations: GENERATIONS, now });
    await db.execute(
      sql`update upstream_jobs set engine = (${sql.param(PROVIDERS)}::text[])[1 + abs(hashtext(generation_id)) % 4] || '/image'`,
    );
    const { key } = await createKey(
      { db, clock: { now: () => now } },
      { organization_id, name: 'bench', kind: 'organization' },
    );
    const service = await startService({ ...unlimited, DATABASE_URL: databaseUrl, ROLE: 'api' });
    const send = async <T>(path: string, body?: string): Promise<T> => {
      const headers = { authorization: `Bearer ${key}` };
      const response = await fetch(
        service.url + path,
        body === undefined ? { headers } : { method: 'POST', headers, body },
      );
      if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
      return (await response.json()) as T;
    };
    try {
      const pid = await findChild('src/server/app/main.mjs');
      if (pid === undefined) throw new Error('The process of the service was not found.');
      const path = `/v1/billing/close?month=${month}`;
      await send(path);
      const files = await Promise.all(PROVIDERS.map((provider) => billOf(db, organization_id, month, provider)));
      const memory = await watchPeak(pid);
      const began = performance.now();
      for (const [index, file] of files.entries())
        await send(`/v1/billing/bills?provider_id=file:${PROVIDERS[index]}&month=${month}&filename=bill.csv`, file);
      const close = await send<Close>(path);
      const tookMs = performance.now() - began;
      const jobs = close.data.flatMap(({ findings }) => findings).reduce((sum, { job_count }) => sum + job_count, 0);
      printRow(`bills of ${jobs} orders / mark`, inMs(tookMs), inMs(MATCH_MS), tookMs / MATCH_MS);
      printCheck(`at most ${MATCH_MS / 1_000} s`, tookMs <= MATCH_MS);
      const grownMib = await memory.grownMib();
      printRow('memory / mark', `${Math.round(grownMib)} MiB`, `${MATCH_MIB} MiB`, grownMib / MATCH_MIB);
      printCheck(`at most ${MATCH_MIB} MiB`, grownMib <= MATCH_MIB);

      await fillLines(db, organization_id, large);
      const largeBegan = performance.now();
      // Without a request, which would time out on a slow machine.
      await matchMonth({ db, clock: { now: () => new Date() } }, organization_id, large, readBilledNames);
      process.stdout.write(`matching ${LINES} lines: ${inMs(performance.now() - largeBegan)}\n`);
      await withLongStatements(async () => {
        await db.execute(sql`vacuum analyze`);
      });
      const provider = `month=${large}&provider_id=file:alpha`;
      for (const [name, request] of [
        ['month', `/v1/billing/close?month=${large}`],
        ['findings', `/v1/billing/close/findings?${provider}`],
        ['findings of a kind', `/v1/billing/close/findings?${provider}&kind=theirs_only&settled=open`],
        ['settled findings', `/v1/billing/close/findings?${provider}&settled=settled`],
        ['search', `/v1/billing/close/findings?${provider}&q=request-999999`],
        ['bills', `/v1/billing/bills?${provider}`],
      ] as const) {
        const times: number[] = [];
        for (let run = 0; run < RUNS; run += 1) {
          const start = performance.now();
          await send(request);
          times.push(performance.now() - start);
        }
        const p95 = times.toSorted((a, b) => a - b)[Math.floor(RUNS * 0.95)] ?? 0;
        printRow(`${name} p95 / median`, inMs(p95), inMs(median(times)), p95 / median(times));
        // A search reads the text of every finding of the month.
        if (name !== 'search') printCheck(`at most ${PAGE_MS} ms`, p95 <= PAGE_MS);
      }
    } finally {
      await service.stop();
    }
  } finally {
    await database.close();
    await postgres.stop();
  }
}

function monthBefore(now: Date, count: number): string {
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - count, 1)).toISOString().slice(0, 7);
}

/** The jobs of a provider as a file: one of ten dearer, one of fifty missing, one of fifty of somebody else. */
async function billOf(db: Db, organization_id: string, month: string, provider: string): Promise<string> {
  const rows = await readRows<{ line: string }>(
    db,
    sql`select to_char(entry.created_at at time zone 'UTC', 'YYYY-MM-DD') || ',' || coalesce(entry.model, '') || ','
        || case when nr % 50 = 0 then 'unknown-' else '' end || request_id || ',1,' || case when nr % 10 = 0 then '0.025' else '0.02' end as line
      from (select job.*, row_number() over (order by generation_id) as nr from upstream_jobs as job) as job
      join ledger_entries as entry on entry.generation_id = job.generation_id and entry.type = 'RELEASE'
      where entry.organization_id = ${organization_id} and engine = ${`${provider}/image`} and nr % 50 <> 1
        and to_char(entry.created_at at time zone 'UTC', 'YYYY-MM') = ${month}`,
  );
  return ['Date,Model,Request ID,Quantity,Cost', ...rows.map(({ line }) => line), ''].join('\n');
}

/** One bill with a million lines, each of a request that nobody made here. */
async function fillLines(db: Db, organization_id: string, month: string): Promise<void> {
  await withLongStatements(async () => {
    await db.execute(sql`insert into provider_bills
      select (jsonb_populate_record(bill, jsonb_build_object('id', 'bil_large', 'month', ${month}::text,
        'storage_key', 'bills/large', 'sha256', 'large', 'line_count', ${LINES}::int, 'amount_nano', ${LINES}::bigint * 10000000,
        'usd_nano', ${LINES}::bigint * 10000000))).* from provider_bills as bill
      where organization_id = ${organization_id} and provider_id = 'file:alpha' limit 1`);
    await db.execute(sql`insert into provider_bill_lines (organization_id, bill_id, row, charged_at, category, is_correction,
        service, request_id, amount_nano, usd_nano)
      select ${organization_id}, 'bil_large', number + 1, (${`${month}-01`}::date + number % 28)::timestamp at time zone 'UTC', 'usage',
        false, 'model ' || number % 20, 'request-' || number, 10000000, 10000000 from generate_series(1, ${LINES}::int) as number`);
    await db.execute(sql`vacuum analyze`);
  });
}
