import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { bootstrap } from '#server/app/bootstrap.ts';
import { composeService, createLogger } from '#server/app/compose.ts';
import { unpackPreparedDatabase } from '#server/app/testing/prepared-database.ts';
import { runAdminCommand } from '#server/app/testing/run-admin-command.ts';
import { createTestClient, type TestClient } from '#server/app/testing/test-client.ts';
import { startWorker } from '#server/app/worker.ts';
import { createApp } from '#server/http/create-app.ts';
import { readConfig } from '#server/platform/core/settings/config.ts';
import { waitFor } from '#server/studio/generations/testing/wait-for.ts';
import { lastMonth } from './testing/last-month.ts';
import { startAdminSocket } from './admin-socket.ts';

const ORDER = { task: 'image.create', model: 'imgmodel-b-2-lite', input: { prompt: 'a lighthouse at dusk' } };
const MONTH = { month: lastMonth(new Date()) };
const BILL = Buffer.from(
  `Date,Model,Cost\n${MONTH.month}-03,"A ""model""",1.25\n${MONTH.month}-04,Another,0.0000003\n`,
);
const KEY = `mgs_org_${'k'.repeat(43)}`;

let folder: string;
const envOf = (machine: string) => ({
  DATA_DIR: join(folder, machine),
  SECRET_KEY: 'the secret key of the first machine',
  BOOTSTRAP_API_KEY: KEY,
  LOG_LEVEL: 'silent',
});
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'emulsion-backup-'));
  await unpackPreparedDatabase(join(folder, 'first', 'database'));
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await rm(folder, { recursive: true, force: true });
});

/** Runs the service on the folder of a machine, in this process. */
async function withRunning<T>(
  machine: string,
  work: (
    client: TestClient & { get(path: string): Promise<number>; getBytes(path: string): Promise<Buffer> },
  ) => Promise<T>,
) {
  const config = readConfig(envOf(machine));
  const { deps, database } = await composeService(config, createLogger(config));
  await bootstrap(deps);
  const worker = await startWorker(deps);
  const closeAdminSocket = await startAdminSocket(deps);
  const app = await createApp(deps);
  try {
    const get = async (url: string) => (await app.inject({ url })).statusCode;
    const getBytes = async (url: string) =>
      (await app.inject({ url, headers: { authorization: `Bearer ${KEY}` } })).rawPayload;
    return await work({ ...createTestClient(app, KEY), get, getBytes });
  } finally {
    await app.close();
    await closeAdminSocket();
    await worker.stop();
    await deps.queue.stop(1_000);
    await database.close();
  }
}

it('restores a backup of a running service, with its media, ledger, bills and closed months', async () => {
  const file = join(folder, 'backup.tar');
  const { generation, closed } = await withRunning('first', async ({ call }) => {
    const { id: generation_id } = (await call('create_generation', { body: ORDER })).body;
    const completed = await waitFor('the generation to end', async () => {
      const { body } = await call('get_generation', { params: { generation_id } });
      return body.completed_at === null ? null : body;
    });
    const query = { ...MONTH, provider_id: 'file:any', filename: 'bill.csv' };
    await call('create_provider_bill', { query, file: BILL });
    const finding = { ...MONTH, provider_id: 'file:any', kind: 'theirs_only' } as const;
    await call('settle_findings', { body: { ...finding, action: 'book_cost', note: 'The console' } });
    const { body: closed } = await call('close_month', { params: MONTH });
    const backup = await runAdminCommand(envOf('first'), 'backup', file, '--media');
    expect(backup).toContain('is written and verified');
    return { generation: completed, closed };
  });
  expect(await runAdminCommand(envOf('second'), 'restore', file)).toContain('verified');
  await withRunning('second', async ({ call, get, getBytes }) => {
    const { body } = await call('get_generation', { params: { generation_id: generation.id } });
    expect(body).toMatchObject({ status: 'succeeded', usage: generation.usage });
    const { pathname, search } = new URL(generation.output.assets[0]?.url ?? '');
    expect(await get(pathname + search)).toBe(200);
    expect((await call('get_close', { query: MONTH })).body).toEqual(closed);
    const { data: bills } = (await call('list_provider_bills', { query: MONTH })).body;
    const params = { bill_id: bills[0]?.id ?? '' };
    const { data: lines } = (await call('list_provider_bill_lines', { params })).body;
    expect(lines.map(({ amount_usd }) => amount_usd)).toEqual(['1.25', '0.0000003']);
    expect(await getBytes(`/v1/billing/bills/${params.bill_id}/file`)).toEqual(BILL);
    expect((await call('get_verification')).body).toMatchObject({ ok: true });
  });
});
