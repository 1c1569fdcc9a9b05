import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { pino } from 'pino';
import { createOrganization } from '#server/bootstrap.ts';
import { openPostgres } from '#server/db/open-database.ts';
import { createKey } from '#server/keys/create-key.ts';
import { startPostgres } from '#server/testing/test-postgres.ts';
import { call } from '../support/api-client.ts';
import { type Service, startService } from '../support/service.ts';
import { startHangingProvider } from './hanging-provider.ts';
import { type Load, load } from './load.ts';
import { inMs, perSecond, printCheck, printRow } from './report.ts';

const request_body = { task: 'image.create', model: 'imgmodel-a-2', input: { prompt: 'A lighthouse at dusk' } };
const unlimited = { PUBLIC_RATE_LIMIT_PER_MINUTE: '1000000', RATE_LIMIT_PER_MINUTE: '1000000' };
const CREDIT = { amount_usd: '100000', description: 'bench' };
const MAX_P99_MS = 100;

/** Starts the floor in a process of its own. @param database_url undefined: on the embedded database */
export async function startFloor(database_url?: string) {
  const child: ChildProcess = spawn(process.execPath, [path.join(import.meta.dirname, 'floor-server.ts')], {
    env: { ...process.env, ...(database_url === undefined ? {} : { DATABASE_URL: database_url }) },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (!child.stdout) throw new Error('The floor has no output.');
  const [chunk] = (await once(child.stdout, 'data')) as [Buffer];
  return { url: chunk.toString().replace('listening ', '').trim(), stop: () => child.kill() };
}

const authorize = (key: string) => ({ authorization: `Bearer ${key}` });

/** Measures creates on both databases beside a bare transaction over HTTP on the same database. */
export async function measureCreates(): Promise<void> {
  const provider = await startHangingProvider(request_body.model);
  const env = { ...unlimited, UPSTREAM_CONCURRENCY: '1', ENGINES_FILE: provider.engines_file };
  try {
    await measureEmbedded(env);
    await measurePostgres(env);
  } finally {
    await provider.stop();
  }
}

async function measureEmbedded(env: Record<string, string>): Promise<void> {
  const floor = await startFloor();
  const service = await startService(env);
  try {
    await call(service, 'POST', '/v1/billing/credits', CREDIT);
    const bare = await load(`${floor.url}/transaction`, { status: 201, body: request_body });
    report('embedded', await loadCreates([service], [service.key]), bare, 0.4);
  } finally {
    floor.stop();
    await service.stop();
  }
}

async function measurePostgres(env: Record<string, string>): Promise<void> {
  const postgres = await startPostgres();
  if (!postgres) {
    process.stdout.write('create on PostgreSQL: not measured, because initdb is not installed\n');
    return;
  }
  const floor = await startFloor(await postgres.createDatabase());
  const database_url = await postgres.createDatabase();
  const api = { ...env, DATABASE_URL: database_url, ROLE: 'api' };
  const services = [await startService(api)];
  try {
    const [first] = services as [Service];
    await call(first, 'POST', '/v1/billing/credits', CREDIT);
    const bare = await load(`${floor.url}/transaction`, { status: 201, body: request_body });
    report('PostgreSQL', await loadCreates(services, [first.key]), bare, 0.7);
    const keys = await createOrganizations(database_url, 8);
    for (const key of keys) await call({ ...first, key }, 'POST', '/v1/billing/credits', CREDIT);
    report('8 organizations', await loadCreates(services, keys), bare, 0.7);
    services.push(await startService(api));
    report('2 processes', await loadCreates(services, [first.key]), bare, 0.7);
  } finally {
    floor.stop();
    for (const service of services) await service.stop();
    await postgres.stop();
  }
}

/** Spreads 16 connections over the processes, and their requests over the keys. */
async function loadCreates(services: readonly Service[], keys: readonly string[]): Promise<Load> {
  const loads = await Promise.all(
    services.map(({ url }) =>
      load(`${url}/v1/generations`, {
        status: 201,
        body: request_body,
        headers: keys.map(authorize),
        connections: 16 / services.length,
      }),
    ),
  );
  return {
    requests_per_second: loads.reduce((sum, { requests_per_second }) => sum + requests_per_second, 0),
    p99_ms: Math.max(...loads.map(({ p99_ms }) => p99_ms)),
  };
}

function report(name: string, creates: Load, bare: Load, least: number): void {
  const ratio = creates.requests_per_second / bare.requests_per_second;
  const title = `create, ${name} / bare transaction`;
  printRow(title, perSecond(creates.requests_per_second), perSecond(bare.requests_per_second), ratio);
  printCheck(`at least ${least}×`, ratio >= least);
  printRow('  p99', inMs(creates.p99_ms), inMs(bare.p99_ms), creates.p99_ms / bare.p99_ms);
  printCheck(`at most ${MAX_P99_MS} ms, or twice the floor's`, creates.p99_ms <= Math.max(MAX_P99_MS, 2 * bare.p99_ms));
}

async function createOrganizations(database_url: string, count: number): Promise<string[]> {
  const { db, close } = await openPostgres(database_url, pino({ level: 'silent' }));
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
