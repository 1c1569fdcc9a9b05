import { sql } from 'drizzle-orm';
import { pino } from 'pino';
import { createOrganization } from '#server/app/bootstrap.ts';
import { type Database, openPostgres } from '#server/platform/db/open-database.ts';
import { readRows } from '#server/platform/db/rows/list-tables.ts';
import { createKey } from '#server/accounts/keys/create-key.ts';
import { seedHistory } from '#server/app/testing/seed-history.ts';
import { startPostgres } from '#server/app/testing/test-postgres.ts';
import { type Service, startService } from '../support/service.ts';
import { growthRequests } from '#server/app/testing/growth-requests.ts';
import { median } from './load.ts';
import { printCheck } from './report.ts';

const MAX_LIST_P95_MS = 200;
const MAX_SUM_P95_MS = 500;
const SUM_PATH = /^\/v1\/billing\/(summary|spending|pivot|ledger\/sums|statement|margin|budgets)/;
const DAY_MS = 86_400_000;
const WARM_UPS = 2;
const RUNS = 20;
const unlimited = { PUBLIC_RATE_LIMIT_PER_MINUTE: '1000000', RATE_LIMIT_PER_MINUTE: '1000000' };

/**
 * Measures each read that the dashboard sends, one client, on an organization with `GROWTH_SIZE` generations (1,000,000
 * by default). `GROWTH_DATABASE_URL` keeps the database: it is filled if it is empty, and used again otherwise.
 * `GROWTH_ONLY` selects requests by a pattern of their path.
 */
export async function measureGrowth(): Promise<void> {
  const keptUrl = process.env['GROWTH_DATABASE_URL'];
  const postgres = keptUrl === undefined ? await startPostgres() : null;
  const databaseUrl = keptUrl ?? (await postgres?.createDatabase());
  if (databaseUrl === undefined) {
    process.stdout.write('growth: not measured, because initdb is not installed\n');
    return;
  }
  const database = await openPostgres(databaseUrl, pino({ level: 'silent' }));
  try {
    const organization_id = await fill(database, Number(process.env['GROWTH_SIZE'] ?? 1_000_000));
    const clock = { now: () => new Date() };
    const { key } = await createKey(
      { db: database.db, clock },
      { organization_id, name: 'bench', kind: 'organization' },
    );
    const service = await startService({ ...unlimited, DATABASE_URL: databaseUrl, ROLE: 'api' });
    try {
      await measureAll({ ...service, key }, await growthRequests(database.db, organization_id, new Date()));
    } finally {
      await service.stop();
    }
  } finally {
    await database.close();
    await postgres?.stop();
  }
}

async function fill({ db }: Database, generations: number): Promise<string> {
  const [largest] = await readRows<{ id: string }>(
    db,
    sql`select organization_id as id from accounts where last_seq > 1000 order by last_seq desc limit 1`,
  );
  if (largest) return largest.id;
  const now = new Date();
  const [organization_id, neighborId] = await db.transaction(async (tx) => [
    await createOrganization(tx, 'Large', new Date(now.getTime() - 366 * DAY_MS)),
    await createOrganization(tx, 'Neighbor', new Date(now.getTime() - 366 * DAY_MS)),
  ]);
  process.stdout.write(`filling the database with ${generations} generations\n`);
  await seedHistory(db, { organization_id, neighborId, generations, now });
  return organization_id;
}

async function measureAll(service: Service, requests: Readonly<Record<string, string>>): Promise<void> {
  const [floorPath = ''] = Object.values(requests);
  const only = new RegExp(process.env['GROWTH_ONLY'] ?? '');
  const over: string[] = [];
  for (const [name, path] of Object.entries(requests)) {
    if (path !== floorPath && !only.test(path)) continue;
    const times = (await measure(service, path)).toSorted((a, b) => a - b);
    // 503: longer than a statement may take.
    if (times.length === 0) {
      over.push(name);
      process.stdout.write(`${name.padEnd(56)} too long\n`);
      continue;
    }
    const p95 = times[Math.ceil(times.length * 0.95) - 1] ?? 0;
    if (p95 > (SUM_PATH.test(path) ? MAX_SUM_P95_MS : MAX_LIST_P95_MS)) over.push(name);
    process.stdout.write(`${name.padEnd(56)} ${ms(median(times))} ${ms(p95)}\n`);
  }
  printCheck(
    `p95 of a list at most ${MAX_LIST_P95_MS} ms, of a sum ${MAX_SUM_P95_MS} ms${over.map((name) => `\n    over: ${name}`).join('')}`,
    over.length === 0,
  );
}

const ms = (value: number) => `${value.toFixed(1)} ms`.padStart(12);

/** Measures until the end of a response, or until the first rows of an export. @returns none if it is refused as too long */
async function measure(service: Service, path: string): Promise<number[]> {
  const times: number[] = [];
  for (let run = 0; run < WARM_UPS + RUNS; run += 1) {
    const began = performance.now();
    const response = await fetch(service.url + path, { headers: { authorization: `Bearer ${service.key}` } });
    if (response.status === 503) return [];
    if (!response.ok) throw new Error(`${path} answered ${response.status}`);
    if (response.headers.get('content-type')?.startsWith('text/csv')) await readFirstRows(response);
    else await response.arrayBuffer();
    times.push(performance.now() - began);
  }
  return times.slice(WARM_UPS);
}

async function readFirstRows(response: Response): Promise<void> {
  const reader = response.body?.getReader();
  await reader?.read();
  await reader?.cancel();
}
