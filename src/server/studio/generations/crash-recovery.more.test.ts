import { openAsBlob } from 'node:fs';
import { readFile, readdir, rm } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isActive } from '#contract/statuses.ts';
import type { MediaCredentials } from '#contract/resources/credentials.ts';
import type { Generation } from '#contract/resources/generation.ts';
import type { WorkflowRun } from '#contract/resources/workflow-run.ts';
import { assetCredentials } from '#server/platform/db/schema/credential-schema.ts';
import { openPglite } from '#server/platform/db/open-database.ts';
import { runFfmpeg } from '#server/platform/media/ffmpeg.ts';
import { resolveMediaTools } from '#server/platform/media/media-tools.ts';
import { itOnPostgres, killCount } from '#server/app/testing/kill-tests.ts';
import { measureMachineDelay } from '#server/app/testing/machine-delay.ts';
import { type ServiceProcess, prepareServiceProcess } from '#server/app/testing/service-process.ts';
import { expectBalancedLedger } from './testing/expect-balanced-ledger.ts';
import { waitFor } from './testing/wait-for.ts';

const KILLS = killCount(1);
const KILL_AFTER_STORE = join(import.meta.dirname, 'testing/kill-after-store.mjs');
/** Short enough for a test, long enough to be interrupted by a kill. */
const CLIP = '-f lavfi -i testsrc2=s=854x480:r=30:d=8 -c:v libx264 -preset ultrafast -pix_fmt yuv420p';
const PICTURE = { task: 'image.create', model: 'imgmodel-a-2', input: { prompt: 'a lighthouse at dusk' } };
const SHORT_VIDEO = {
  task: 'video.create',
  model: 'vidmodel-c-2-mini',
  input: { prompt: 'waves on a beach', duration_seconds: 4, resolution: '480p' },
};

const step = (key: string, more: object) => ({ key, name: key, task: 'image.create', model: 'imgmodel-a-2', ...more });
const WORKFLOW = {
  slug: 'five-pictures',
  name: 'Five pictures',
  input_schema: { type: 'object', properties: {} },
  steps: [
    step('a', { input: PICTURE.input }),
    step('b', { input: PICTURE.input }),
    step('c', {
      input: { ...PICTURE.input, reference_images: '{{ [steps.a.output.assets, steps.b.output.assets] }}' },
    }),
    step('d', { for_each: '[1, 2]', input: { prompt: 'no. {{ item }} {{ steps.c.status }}' } }),
  ],
};

/** Even on a busy machine at least one generation completes within this time. */
const STALLED_MS = 120_000;
const LONGEST_EXIT_MS = 15_000;
const machineDelayMs = measureMachineDelay();

let service: ServiceProcess;
beforeEach(async () => {
  service = await prepareServiceProcess();
});
afterEach(() => service.remove());

const get = <T>(path: string) => service.get<T>(path);
const create = (order: unknown) => service.post<Generation>('/v1/generations', order);
async function upload(file: string): Promise<string> {
  const form = new FormData();
  form.append('file', await openAsBlob(file), 'clip.mp4');
  const headers = { authorization: `Bearer ${service.key}` };
  const response = await fetch(service.url('/v1/uploads'), { method: 'POST', headers, body: form });
  return ((await response.json()) as { url: string }).url;
}

async function processesAtWork(): Promise<string[]> {
  const found = await Promise.all(
    (await readdir('/proc'))
      .filter((name) => /^\d+$/.test(name))
      .map((pid) => readFile(join('/proc', pid, 'cmdline'), 'utf8').catch(() => '')),
  );
  return found.filter((line) => line.includes(service.dataDir));
}

async function filesBelow(...path: string[]): Promise<string[]> {
  const folder = join(service.dataDir, ...path);
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  return entries.filter((entry) => entry.isFile()).map((entry) => relative(folder, join(entry.parentPath, entry.name)));
}

async function endsAll(databaseUrl: string | null): Promise<Generation[]> {
  const clip = join(service.dataDir, 'clip.mp4');
  await runFfmpeg(await resolveMediaTools(), { args: [...CLIP.split(' '), clip], trusted: true });
  await service.start(databaseUrl);
  const source = await upload(clip);
  await rm(clip);
  await service.post('/v1/workflow-starters', WORKFLOW);
  const trim = { task: 'video.trim', input: { video: { url: source }, start_seconds: 0.5, end_seconds: 7 } };
  const acknowledged: string[] = [];
  // The last stop is orderly and must leave nothing behind either.
  for (let round = 0; round <= KILLS; round += 1) {
    for (const order of [trim, PICTURE, PICTURE, PICTURE, ...(round % 3 === 0 ? [SHORT_VIDEO] : [])]) {
      acknowledged.push((await create(order)).id);
    }
    if (round < 2) await service.post('/v1/workflow-runs', { starter_slug: WORKFLOW.slug, input: {} });
    // The kill may interrupt the creation of some.
    const unanswered = Promise.allSettled(
      Array.from({ length: 4 }, () => create(PICTURE).then(({ id }) => acknowledged.push(id))),
    );
    await new Promise((resolve) => setTimeout(resolve, Math.random() * 1_500));
    const toldMs = Date.now();
    const exitCode = await service.stop(round < KILLS ? 'SIGKILL' : 'SIGTERM');
    if (round === KILLS) {
      expect(exitCode, service.output()).toBe(0);
      expect(Date.now() - toldMs).toBeLessThan(LONGEST_EXIT_MS + machineDelayMs());
    }
    await unanswered;
    await waitFor('every media process to be gone', async () => (await processesAtWork()).length === 0);
    await service.start(databaseUrl);
  }
  const all = () => get<{ data: Generation[] }>('/v1/generations?limit=200').then(({ data }) => data);
  let ended = await all();
  let lastEndMs = Date.now();
  for (let active = Infinity; active > 0 && Date.now() - lastEndMs < STALLED_MS;) {
    await new Promise((resolve) => setTimeout(resolve, 200));
    ended = await all();
    const runs = await unfinishedRuns();
    const left = ended.filter(({ status }) => isActive(status)).length + runs;
    if (left < active) lastEndMs = Date.now();
    active = left;
  }
  // After three interrupted attempts a generation fails.
  const odd = ended.filter(({ status, error }) => status !== 'succeeded' && error?.code !== 'interrupted');
  expect(
    odd.map(({ id, task, status, error }) => [id, task, status, error?.code]),
    service.output(),
  ).toEqual([]);
  expect(ended.map(({ id }) => id)).toEqual(expect.arrayContaining(acknowledged));
  return ended;
}

const allRuns = () => get<{ data: WorkflowRun[] }>('/v1/workflow-runs').then(({ data }) => data);
const unfinishedRuns = async () => (await allRuns()).filter(({ completed_at }) => completed_at === null).length;

async function expectRuns(ended: readonly Generation[]): Promise<void> {
  const runs = await allRuns();
  expect(runs).toHaveLength(2);
  for (const { id, status, steps, usage } of runs) {
    const brokenOff = steps.some(({ error }) => error?.code === 'interrupted');
    expect([id, status]).toEqual([id, brokenOff ? 'failed' : 'succeeded']);
    const named = steps.flatMap(({ generation_id, items }) => [
      generation_id,
      ...(items ?? []).map((item) => item.generation_id),
    ]);
    const made = ended.filter(({ workflow_run_id }) => workflow_run_id === id);
    expect(made.map((generation) => generation.id).sort()).toEqual(named.filter((name) => name !== null).sort());
    if (!brokenOff) expect([made.length, usage.amount_usd]).toEqual([5, '0.15']);
  }
}

const assetIds = (ended: readonly Generation[]) =>
  ended.flatMap(({ output: { assets } }) => assets.map(({ id }) => id));

describe.skipIf(process.platform !== 'linux')(
  `killed ${KILLS} ${KILLS === 1 ? 'time' : 'times'} in the middle of its work, the service`,
  () => {
    const timeoutMs = 360_000 + KILLS * 60_000;

    it(
      'completes every generation with a consistent ledger and without orphaned files, folders or processes',
      async () => {
        const ended = await endsAll(null);
        await expectBalancedLedger(service, ended);
        await expectRuns(ended);
        const named = assetIds(ended);
        const stored = await filesBelow('media', 'objects');
        for (const id of named) expect(stored.some((key) => key.includes(id))).toBe(true);
        const originals = stored.filter((key) => !key.startsWith('derivatives/'));
        expect(originals).toHaveLength(named.length + 1);
        const known = originals.map((key) => key.replace(/\.\w+$/, '/'));
        const copies = stored.filter((key) => !originals.includes(key));
        expect(copies.filter((key) => !known.some((original) => key.startsWith(`derivatives/${original}`)))).toEqual(
          [],
        );
        await waitFor('everything to be at rest', async () => {
          const atWork = [await filesBelow('media', 'tmp'), await filesBelow('scratch'), await processesAtWork()];
          return atWork.flat().length === 0;
        });
      },
      timeoutMs,
    );

    it.each([PICTURE, SHORT_VIDEO])(
      'signs a result once whose process was killed after it was stored: %o',
      async (order) => {
        await service.start(null, { NODE_OPTIONS: `--import=${KILL_AFTER_STORE}` });
        const { id } = await create(order);
        await waitFor('the service to be killed', async () => service.pid() === undefined);
        expect(await filesBelow('media', 'objects', 'outputs')).toHaveLength(1);
        await service.start(null);
        const ended = await waitFor('the generation to end', async () => {
          const generation = await get<Generation>(`/v1/generations/${id}`);
          return generation.completed_at === null ? null : generation;
        });
        expect([ended.status, ended.output.assets]).toEqual(['succeeded', [expect.anything()]]);
        const [assetId = ''] = assetIds([ended]);
        const { place, report } = await get<MediaCredentials>(`/v1/media/${assetId}/credentials`);
        expect([place, report.state, report.steps.map(({ is_own }) => is_own)]).toEqual(['embedded', 'valid', [true]]);
        await expectBalancedLedger(service, [ended]);
        const stored = await filesBelow('media', 'objects', 'outputs');
        expect(stored.map((name) => name.replace(/\.\w+$/, ''))).toEqual([assetId]);
        await waitFor('everything to be at rest', async () => {
          const atWork = [
            await filesBelow('media', 'tmp'),
            await filesBelow('media', 'spool'),
            await filesBelow('scratch'),
          ];
          return atWork.flat().length === 0;
        });
        await service.stop('SIGTERM');
        const database = await openPglite({ folder: join(service.dataDir, 'database') }, pino({ level: 'silent' }));
        const rows = await database.db.select().from(assetCredentials);
        await database.close();
        expect(rows).toMatchObject([{ asset_id: assetId, place: 'embedded' }]);
      },
      timeoutMs,
    );

    itOnPostgres(
      'ends everything it took on where the database is PostgreSQL and others may share it',
      () => service,
      async (databaseUrl) => {
        const ended = await endsAll(databaseUrl);
        await expectBalancedLedger(service, ended);
        await expectRuns(ended);
        const stored = await filesBelow('media', 'objects');
        for (const id of assetIds(ended)) expect(stored.some((key) => key.includes(id))).toBe(true);
        await waitFor('every media process to be gone', async () => (await processesAtWork()).length === 0);
      },
      timeoutMs,
    );
  },
);
