import { pino } from 'pino';
import { createOrganization } from '#server/app/bootstrap.ts';
import { openPostgres } from '#server/platform/db/open-database.ts';
import { createKey } from '#server/accounts/keys/create-key.ts';
import { startPostgres } from '#server/app/testing/test-postgres.ts';
import { call } from '../support/api-client.ts';
import { type Service, startService } from '../support/service.ts';
import { startHangingProvider } from './hanging-provider.ts';
import { type Load, load, median } from './load.ts';
import { inMs, perSecond, printCheck, printRow } from './report.ts';
import { type Floor, startFloorTransaction } from './start-floor.ts';

const requestBody = { task: 'image.create', model: 'imgmodel-a-2', input: { prompt: 'A lighthouse at dusk' } };
const unlimited = { PUBLIC_RATE_LIMIT_PER_MINUTE: '1000000', RATE_LIMIT_PER_MINUTE: '1000000' };
const CREDIT = { amount_usd: '100000', description: 'bench' };
const MAX_P99_MS = 100;
const ORGANIZATIONS = 50;
const ROUNDS = 3;
const SECONDS = 4;

const authorize = (key: string) => ({ authorization: `Bearer ${key}` });

/** Measures creates on both databases beside a bare transaction over HTTP that stores the same rows. */
export async function measureCreates(): Promise<void> {
  const provider = await startHangingProvider(requestBody.model);
  const env = { ...unlimited, UPSTREAM_CONCURRENCY: '1', ENGINES_FILE: provider.enginesFile };
  try {
    await measureEmbedded(env);
    await measurePostgres(env);
  } finally {
    await provider.stop();
  }
}

async function measureEmbedded(env: Record<string, string>): Promise<void> {
  const floor = await startFloorTransaction();
  const service = await startService(env);
  try {
    await call(service, 'POST', '/v1/billing/credits', CREDIT);
    await compare('embedded', [service], [service.key], floor, 0.5);
  } finally {
    await floor.stop();
    await service.stop();
  }
}

async function measurePostgres(env: Record<string, string>): Promise<void> {
  const postgres = await startPostgres();
  if (!postgres) {
    process.stdout.write('create on PostgreSQL: not measured, because initdb is not installed\n');
    return;
  }
  const databaseUrl = await postgres.createDatabase();
  const api = { ...env, DATABASE_URL: databaseUrl, ROLE: 'api' };
  const floors: Floor[] = [];
  const services: Service[] = [];
  try {
    floors.push(await startFloorTransaction(await postgres.createDatabase()));
    floors.push(await startFloorTransaction(await postgres.createDatabase(), ORGANIZATIONS));
    services.push(await startService(api));
    const [first] = services as [Service];
    const [floor, floorOfSeveral] = floors as [Floor, Floor];
    await call(first, 'POST', '/v1/billing/credits', CREDIT);
    const keys = await createOrganizations(databaseUrl, ORGANIZATIONS);
    for (const key of keys) await call({ ...first, key }, 'POST', '/v1/billing/credits', CREDIT);
    await compare('PostgreSQL', services, [first.key], floor, 0.55);
    await compare(`${ORGANIZATIONS} organizations`, services, keys, floorOfSeveral, 0.55);
    services.push(await startService(api));
    await compare('2 processes', services, [first.key], floor, 0.55);
  } finally {
    for (const each of [...floors, ...services]) await each.stop();
    await postgres.stop();
  }
}

/** Measures floor and service in turn, so that other load affects both, and reports medians. */
async function compare(
  name: string,
  services: readonly Service[],
  keys: readonly string[],
  floor: Floor,
  least: number,
): Promise<void> {
  const bare: Load[] = [];
  const creates: Load[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    bare.push(await load(`${floor.url}/transaction`, { status: 201, body: requestBody, seconds: SECONDS }));
    creates.push(await loadCreates(services, keys));
  }
  const title = `create, ${name} / bare transaction`;
  const medianOf = (runs: readonly Load[], field: keyof Load) => median(runs.map((run) => run[field]));
  const rate = medianOf(creates, 'requests_per_second');
  const bareRate = medianOf(bare, 'requests_per_second');
  const p99_ms = medianOf(creates, 'p99_ms');
  const bareP99Ms = medianOf(bare, 'p99_ms');
  const ratio = rate / bareRate;
  printRow(title, perSecond(rate), perSecond(bareRate), ratio);
  printCheck(`at least ${least}×`, ratio >= least);
  printRow('  p99', inMs(p99_ms), inMs(bareP99Ms), p99_ms / bareP99Ms);
  printCheck(`at most ${MAX_P99_MS} ms, or twice the floor's`, p99_ms <= Math.max(MAX_P99_MS, 2 * bareP99Ms));
}

/** Spreads 16 connections over the processes, and their requests over the keys. */
async function loadCreates(services: readonly Service[], keys: readonly string[]): Promise<Load> {
  const loads = await Promise.all(
    services.map(({ url }) =>
      load(`${url}/v1/generations`, {
        status: 201,
        body: requestBody,
        headers: keys.map(authorize),
        connections: 16 / services.length,
        seconds: SECONDS,
      }),
    ),
  );
  return {
    requests_per_second: loads.reduce((sum, { requests_per_second }) => sum + requests_per_second, 0),
    p99_ms: Math.max(...loads.map(({ p99_ms }) => p99_ms)),
  };
}

async function createOrganizations(databaseUrl: string, count: number): Promise<string[]> {
  const { db, close } = await openPostgres(databaseUrl, pino({ level: 'silent' }));
  const clock = { now: () => new Date() };
  try {
    const keys: string[] = [];
    for (let number = 1; number <= count; number += 1) {
      keys.push(
        await db.transaction(async (tx) => {
          const organization_id = await createOrganization(tx, `Bench ${number}`, clock.now());
          const { key } = await createKey({ db: tx, clock }, { organization_id, name: 'bench', kind: 'organization' });
          return key;
        }),
      );
    }
    return keys;
  } finally {
    await close();
  }
}
