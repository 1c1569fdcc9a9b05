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
import { startAdminSocket } from './admin-socket.ts';

const ORDER = { task: 'image.create', model: 'imgmodel-b-2-lite', input: { prompt: 'a lighthouse at dusk' } };
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
  work: (client: TestClient & { get(path: string): Promise<number> }) => Promise<T>,
) {
  const config = readConfig(envOf(machine));
  const { deps, database } = await composeService(config, createLogger(config));
  await bootstrap(deps);
  const worker = await startWorker(deps);
  const closeAdminSocket = await startAdminSocket(deps);
  const app = await createApp(deps);
  try {
    const get = async (url: string) => (await app.inject({ url })).statusCode;
    return await work({ ...createTestClient(app, KEY), get });
  } finally {
    await app.close();
    await closeAdminSocket();
    await worker.stop();
    await deps.queue.stop(1_000);
    await database.close();
  }
}

it('restores a backup of a running service, with its media and ledger', async () => {
  const file = join(folder, 'backup.tar');
  const generation = await withRunning('first', async ({ call }) => {
    const { id: generation_id } = (await call('create_generation', { body: ORDER })).body;
    const completed = await waitFor('the generation to end', async () => {
      const { body } = await call('get_generation', { params: { generation_id } });
      return body.completed_at === null ? null : body;
    });
    const backup = await runAdminCommand(envOf('first'), 'backup', file, '--media');
    expect(backup).toContain('is written and verified');
    return completed;
  });
  expect(await runAdminCommand(envOf('second'), 'restore', file)).toContain('verified');
  await withRunning('second', async ({ call, get }) => {
    const { body } = await call('get_generation', { params: { generation_id: generation.id } });
    expect(body).toMatchObject({ status: 'succeeded', usage: generation.usage });
    const { pathname, search } = new URL(generation.output.assets[0]?.url ?? '');
    expect(await get(pathname + search)).toBe(200);
    expect((await call('get_verification')).body).toMatchObject({ ok: true });
  });
});
