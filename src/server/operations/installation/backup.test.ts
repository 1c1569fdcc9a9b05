import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import type { Verification } from '#contract/resources/audit.ts';
import type { Generation } from '#contract/resources/generation.ts';
import { runAdminCommand } from '#server/app/testing/run-admin-command.ts';
import { prepareServiceProcess, type ServiceProcess } from '#server/app/testing/service-process.ts';
import { waitFor } from '#server/studio/generations/testing/wait-for.ts';

const SECRET_KEY = 'the secret key of the first machine';
const ORDER = { task: 'image.create', model: 'imgmodel-b-2-lite', input: { prompt: 'a lighthouse at dusk' } };

let folder: string;
let first: ServiceProcess;
let second: ServiceProcess;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'emulsion-backup-'));
  [first, second] = [await prepareServiceProcess(), await prepareServiceProcess()];
  await rm(join(second.dataDir, 'database'), { recursive: true });
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await Promise.all([first.remove(), second.remove(), rm(folder, { recursive: true, force: true })]);
});

it('restores a backup of a running service, with its media and ledger', { timeout: 240_000 }, async () => {
  await first.start(null, { SECRET_KEY });
  const { id } = await first.post<Generation>('/v1/generations', ORDER);
  const read = async (service: ServiceProcess) => {
    const generation = await service.get<Generation>(`/v1/generations/${id}`);
    return generation.completed_at === null ? null : generation;
  };
  const generation = await waitFor('the generation to end', () => read(first));
  const file = join(folder, 'backup.tar');
  const backup = await runAdminCommand({ DATA_DIR: first.dataDir, SECRET_KEY }, 'backup', file, '--media');
  expect(backup).toContain('is written and verified');
  await first.stop('SIGKILL');
  expect(await runAdminCommand({ DATA_DIR: second.dataDir, SECRET_KEY }, 'restore', file)).toContain('verified');
  await second.start(null, { SECRET_KEY });
  expect(await read(second)).toMatchObject({ status: 'succeeded', usage: generation.usage });
  const [asset] = generation.output.assets;
  const { pathname, search } = new URL(asset?.url ?? '');
  expect((await fetch(second.url(pathname + search))).status).toBe(200);
  expect(await second.get<Verification>('/v1/billing/verification')).toMatchObject({ ok: true });
});
