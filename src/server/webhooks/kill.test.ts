import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { List } from '#contract/primitives.ts';
import type { Generation } from '#contract/resources/generation.ts';
import type { WebhookDelivery, WebhookEndpointCreated } from '#contract/resources/webhook.ts';
import { waitFor } from '../generations/testing/wait-for.ts';
import { freePort, startPostgres } from '../testing/databases.ts';
import { type Receiver, startReceiver } from './testing/receiver.ts';

/** `KILLS=20` for the full proof, which then covers PostgreSQL as well. */
const full_proof = process.env['KILLS'] !== undefined;
const KILLS = Number(process.env['KILLS'] ?? 2);
const KEY = `mgs_org_${'k'.repeat(43)}`;
const PICTURE = { task: 'image.create', model: 'imgmodel-a-2', input: { prompt: 'a lighthouse at dusk' } };
const START_MS = 60_000;
/** A lease has to run out where others may share the database. */
const RESTART_MS = 60_000;

let data_dir: string;
let port: number;
let receiver: Receiver;
let server: ChildProcess | undefined;
let output = '';
beforeEach(async () => {
  data_dir = await mkdtemp(join(tmpdir(), 'emulsion-webhooks-'));
  port = await freePort();
  receiver = await startReceiver();
  await writeFile(join(data_dir, 'ca.pem'), receiver.certificate.cert);
});
afterEach(async () => {
  await kill();
  await receiver.close();
  await rm(data_dir, { recursive: true, force: true });
});

async function start(database_url: string | null): Promise<void> {
  server = spawn(process.execPath, [join(import.meta.dirname, '../main.ts')], {
    env: {
      PATH: process.env['PATH'],
      DATA_DIR: data_dir,
      PORT: String(port),
      BOOTSTRAP_API_KEY: KEY,
      LOG_LEVEL: 'error',
      RATE_LIMIT_PER_MINUTE: '100000',
      ALLOW_PRIVATE_NETWORKS: '127.0.0.0/8,::1/128',
      NODE_EXTRA_CA_CERTS: join(data_dir, 'ca.pem'),
      ...(database_url === null ? {} : { DATABASE_URL: database_url }),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  for (const stream of [server.stdout, server.stderr])
    stream?.on('data', (text: Buffer) => (output += text.toString()));
  await waitFor(
    `the service to be ready: ${output}`,
    () =>
      call('/readyz').then(
        () => true,
        () => false,
      ),
    START_MS,
  );
}

async function kill(): Promise<void> {
  if (!server || server.exitCode !== null || server.signalCode !== null) return;
  const gone = once(server, 'exit');
  server.kill('SIGKILL');
  await gone;
}

async function call<T>(path: string, body?: unknown): Promise<T> {
  const post = { method: 'POST', body: JSON.stringify(body) };
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : post),
  });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return (await response.json()) as T;
}

/** Kills the service again and again while receivers keep it waiting, and looks at what arrives after all. */
async function deliversAll(database_url: string | null): Promise<void> {
  await start(database_url);
  const events = ['generation.succeeded'];
  const { id } = await call<WebhookEndpointCreated>('/v1/webhooks/endpoints', { url: receiver.url('/hook'), events });
  const path = `/v1/webhooks/endpoints/${id}/deliveries?limit=100`;
  const deliveries = async () => (await call<List<WebhookDelivery>>(path)).data;
  const made: string[] = [];
  for (let round = 0; round < KILLS; round += 1) {
    receiver.always.set('/hook', 'hang');
    const seen = receiver.at('/hook').length;
    for (let times = 0; times < 3; times += 1) made.push((await call<Generation>('/v1/generations', PICTURE)).id);
    await waitFor('a delivery to be under way', async () => receiver.at('/hook').length > seen, RESTART_MS);
    await kill();
    receiver.always.set('/hook', 204);
    await start(database_url);
    await waitFor(
      'everything to be delivered',
      async () => {
        const all = await deliveries();
        return all.length === made.length && all.every(({ status }) => status === 'succeeded');
      },
      RESTART_MS,
    );
  }
  const sent = receiver.at('/hook');
  expect(new Set(sent.map(({ event }) => event.data.object.id))).toEqual(new Set(made));
  // One event for each, however often it was sent.
  expect(new Set(sent.map(({ event }) => event.id)).size).toBe(made.length);
  expect(sent.length).toBeGreaterThan(made.length);
}

describe(`killed ${KILLS} times in the middle of a delivery, the service`, () => {
  const timeout_ms = 120_000 + KILLS * 90_000;

  it('delivers every event at least once', () => deliversAll(null), timeout_ms);

  it.skipIf(!full_proof)(
    'does so where the database is PostgreSQL',
    async (context) => {
      const postgres = await startPostgres();
      if (!postgres) return context.skip();
      try {
        await deliversAll(await postgres.createDatabase());
      } finally {
        await kill();
        await postgres.stop();
      }
    },
    timeout_ms,
  );
});
