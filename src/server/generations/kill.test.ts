import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { openAsBlob } from 'node:fs';
import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { LedgerEntry } from '#contract/resources/billing.ts';
import { isActive } from '#contract/generation-status.ts';
import type { Generation } from '#contract/resources/generation.ts';
import type { WorkflowRun } from '#contract/resources/workflow-run.ts';
import { runFfmpeg } from '../media/ffmpeg.ts';
import { resolveMediaTools } from '../media/media-tools.ts';
import { startPostgres } from '../testing/databases.ts';
import { type UpstreamStudio, startUpstreamStudio } from './testing/upstream-studio.ts';
import { waitFor } from './testing/wait-for.ts';

/** `KILLS=20` for the full proof, which then covers PostgreSQL as well. */
const full_proof = process.env['KILLS'] !== undefined;
const KILLS = Number(process.env['KILLS'] ?? 1);
const KEY = `mgs_org_${'k'.repeat(43)}`;
const MAIN = join(import.meta.dirname, '../main.ts');
/** Short enough for a test, long enough to be killed in the middle of. */
const CLIP = '-f lavfi -i testsrc2=s=1280x720:r=30:d=8 -c:v libx264 -preset ultrafast -pix_fmt yuv420p';
const PICTURE = { task: 'image.create', model: 'imgmodel-a-2', input: { prompt: 'a lighthouse at dusk' } };
const SHORT_VIDEO = {
  task: 'video.create',
  model: 'vidmodel-c-2-mini',
  input: { prompt: 'waves on a beach', duration_seconds: 4, resolution: '480p' },
};

const step = (key: string, more: object) => ({ key, name: key, task: 'image.create', model: 'imgmodel-a-2', ...more });
/** Two at once, one of both, then two of a list. */
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

/** The machine may be slow, but while there is work something ends. */
const STALLED_MS = 60_000;

let data_dir: string;
let port: number;
let server: ChildProcess | undefined;
let output = '';
beforeEach(async () => {
  data_dir = await mkdtemp(join(tmpdir(), 'emulsion-kill-'));
  port = await freePort();
});
afterEach(async () => {
  await kill('SIGKILL');
  await rm(data_dir, { recursive: true, force: true });
});

async function start(database_url: string | null, more: Readonly<Record<string, string>> = {}): Promise<void> {
  const env = { PATH: process.env['PATH'], DATA_DIR: data_dir, PORT: String(port), BOOTSTRAP_API_KEY: KEY };
  const database = database_url === null ? {} : { DATABASE_URL: database_url };
  const limits = { RATE_LIMIT_PER_MINUTE: '100000', LOG_LEVEL: 'error' };
  server = spawn(process.execPath, [MAIN], {
    env: { ...env, ...limits, ...database, ...more },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  for (const stream of [server.stdout, server.stderr])
    stream?.on('data', (text: Buffer) => (output += text.toString()));
  for (let tries = 0; tries < 6; tries += 1) {
    const ready = await waitFor('the service to be ready', () =>
      get('/readyz').then(
        () => true,
        () => false,
      ),
    ).catch(() => false);
    if (ready) return;
  }
  throw new Error(`The service did not start:\n${output}`);
}

async function kill(signal: NodeJS.Signals): Promise<void> {
  if (!server || server.exitCode !== null || server.signalCode !== null) return;
  const gone = once(server, 'exit');
  server.kill(signal);
  await gone;
}

const headers = { authorization: `Bearer ${KEY}` };
const url = (path: string) => `http://127.0.0.1:${port}${path}`;
async function get<T>(path: string): Promise<T> {
  const response = await fetch(url(path), { headers });
  if (!response.ok) throw new Error(`${path}: ${response.status}`);
  return (await response.json()) as T;
}
async function create(order: unknown): Promise<Generation> {
  const response = await fetch(url('/v1/generations'), {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(order),
  });
  if (response.status !== 201) throw new Error(await response.text());
  return (await response.json()) as Generation;
}
async function act(path: string, body?: unknown): Promise<void> {
  const json = body === undefined ? {} : { body: JSON.stringify(body) };
  const response = await fetch(url(path), {
    method: 'POST',
    headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...json,
  });
  if (!response.ok) throw new Error(await response.text());
}
async function upload(file: string): Promise<string> {
  const form = new FormData();
  form.append('file', await openAsBlob(file), 'clip.mp4');
  const response = await fetch(url('/v1/uploads'), { method: 'POST', headers, body: form });
  return ((await response.json()) as { url: string }).url;
}

/** Programs that work on files of this service, the service itself apart. */
async function processesAtWork(): Promise<string[]> {
  const found = await Promise.all(
    (await readdir('/proc'))
      .filter((name) => /^\d+$/.test(name))
      .map((pid) => readFile(join('/proc', pid, 'cmdline'), 'utf8').catch(() => '')),
  );
  return found.filter((line) => line.includes(data_dir));
}

async function filesBelow(...path: string[]): Promise<string[]> {
  const folder = join(data_dir, ...path);
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  return entries.filter((entry) => entry.isFile()).map((entry) => relative(folder, join(entry.parentPath, entry.name)));
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  probe.close();
  return typeof address === 'object' && address ? address.port : 0;
}

/** Kills the service again and again in the middle of its work, and waits for all of it to end. */
async function endsAll(database_url: string | null): Promise<Generation[]> {
  const clip = join(data_dir, 'clip.mp4');
  await runFfmpeg(await resolveMediaTools(), { args: [...CLIP.split(' '), clip], trusted: true });
  await start(database_url);
  const source = await upload(clip);
  await rm(clip);
  await act('/v1/workflow-starters', WORKFLOW);
  const trim = { task: 'video.trim', input: { video: { url: source }, start_seconds: 0.5, end_seconds: 7 } };
  const acknowledged: string[] = [];
  // After the last kill it is told to stop, which is to leave just as little behind.
  for (let round = 0; round <= KILLS; round += 1) {
    for (const order of [trim, PICTURE, PICTURE, PICTURE, ...(round % 3 === 0 ? [SHORT_VIDEO] : [])]) {
      acknowledged.push((await create(order)).id);
    }
    if (round < 2) await act('/v1/workflow-runs', { starter_slug: WORKFLOW.slug, input: {} });
    // Some are just being created when it happens.
    const unanswered = Promise.allSettled(
      Array.from({ length: 4 }, () => create(PICTURE).then(({ id }) => acknowledged.push(id))),
    );
    await new Promise((resolve) => setTimeout(resolve, Math.random() * 1_500));
    const told_ms = Date.now();
    await kill(round < KILLS ? 'SIGKILL' : 'SIGTERM');
    if (round === KILLS) {
      expect(server?.exitCode, output).toBe(0);
      expect(Date.now() - told_ms).toBeLessThan(15_000);
    }
    await unanswered;
    await waitFor('every media process to be gone', async () => (await processesAtWork()).length === 0);
    await start(database_url);
  }
  const all = () => get<{ data: Generation[] }>('/v1/generations?limit=200').then(({ data }) => data);
  let ended = await all();
  let last_end_ms = Date.now();
  for (let active = Infinity; active > 0 && Date.now() - last_end_ms < STALLED_MS;) {
    await new Promise((resolve) => setTimeout(resolve, 200));
    ended = await all();
    const runs = await unfinishedRuns();
    const left = ended.filter(({ status }) => isActive(status)).length + runs;
    if (left < active) last_end_ms = Date.now();
    active = left;
  }
  // What was begun and broken off three times is given up on.
  const odd = ended.filter(({ status, error }) => status !== 'succeeded' && error?.code !== 'interrupted');
  expect(
    odd.map(({ id, task, status, error }) => [id, task, status, error?.code]),
    output,
  ).toEqual([]);
  expect(ended.map(({ id }) => id)).toEqual(expect.arrayContaining(acknowledged));
  return ended;
}

const ENTRIES: Partial<Record<Generation['status'], string[]>> = {
  succeeded: ['RELEASE', 'RESERVE', 'SETTLE'],
  failed: ['RELEASE', 'RESERVE'],
  canceled: ['RELEASE', 'RESERVE'],
};

const allRuns = () => get<{ data: WorkflowRun[] }>('/v1/workflow-runs').then(({ data }) => data);
const unfinishedRuns = async () => (await allRuns()).filter(({ completed_at }) => completed_at === null).length;

/** Every step was made once, and each run costs what its steps do. */
async function expectRuns(ended: readonly Generation[]): Promise<void> {
  const runs = await allRuns();
  expect(runs).toHaveLength(2);
  for (const { id, status, steps, usage } of runs) {
    const broken_off = steps.some(({ error }) => error?.code === 'interrupted');
    expect([id, status]).toEqual([id, broken_off ? 'failed' : 'succeeded']);
    const named = steps.flatMap(({ generation_id, items }) => [
      generation_id,
      ...(items ?? []).map((item) => item.generation_id),
    ]);
    const made = ended.filter(({ workflow_run_id }) => workflow_run_id === id);
    expect(made.map((generation) => generation.id).sort()).toEqual(named.filter((name) => name !== null).sort());
    if (!broken_off) expect([made.length, usage.amount_usd]).toEqual([5, '0.15']);
  }
}

/** Every reservation came back once, and every charge was taken once. */
async function expectMoney(ended: readonly Generation[]): Promise<void> {
  for (const { id, status, usage } of ended) {
    const { data } = await get<{ data: LedgerEntry[] }>(`/v1/billing/ledger?generation_id=${id}`);
    expect(data.map(({ type }) => type).sort()).toEqual(usage.amount_usd === '0.00' ? [] : ENTRIES[status]);
  }
  const charged = ended.filter(({ usage }) => usage.billing_status === 'settled');
  const spent = charged.reduce((sum, { usage }) => sum + Number(usage.amount_usd), 0);
  const summary = await get<Record<string, string>>('/v1/billing/summary');
  expect(summary['reserved_usd']).toBe('0.00');
  expect(Number(summary['available_usd'])).toBeCloseTo(100 - spent, 6);
}

const assetIds = (ended: readonly Generation[]) =>
  ended.flatMap(({ output: { assets } }) => assets.map(({ id }) => id));

describe.skipIf(process.platform !== 'linux')(
  `killed ${KILLS} ${KILLS === 1 ? 'time' : 'times'} in the middle of its work, the service`,
  () => {
    const timeout_ms = 120_000 + KILLS * 60_000;

    it(
      'ends everything it took on, with its money whole and no stray file, folder or process',
      async () => {
        const ended = await endsAll(null);
        await expectMoney(ended);
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
          const at_work = [await filesBelow('media', 'tmp'), await filesBelow('scratch'), await processesAtWork()];
          return at_work.flat().length === 0;
        });
      },
      timeout_ms,
    );

    it.skipIf(!full_proof)(
      'ends everything it took on where the database is PostgreSQL and others may share it',
      async (context) => {
        const postgres = await startPostgres();
        if (!postgres) return context.skip();
        try {
          const ended = await endsAll(await postgres.createDatabase());
          await expectMoney(ended);
          await expectRuns(ended);
          const stored = await filesBelow('media', 'objects');
          for (const id of assetIds(ended)) expect(stored.some((key) => key.includes(id))).toBe(true);
          await waitFor('every media process to be gone', async () => (await processesAtWork()).length === 0);
        } finally {
          await kill('SIGKILL');
          await postgres.stop();
        }
      },
      timeout_ms,
    );
  },
);

/** A service that is told by `engines.json`: with one engine that knows submit keys, and one that does not. */
const enginesFile = (base_url: string) => {
  const engine = {
    adapter: 'http',
    base_url,
    submit: { path: '/jobs', body: '{ "key": submit_key, "prompt": input.prompt }' },
    handle: 'answer.id',
    poll: { path: '/jobs/{{ handle.id }}' },
    poll_after_seconds: 0.1,
    cancel: { path: '/jobs/{{ handle.id }}/cancel' },
    state: 'answer.state',
    states: { running: 'working', done: 'done', failed: 'failed', canceled: 'canceled' },
    outputs: 'answer.outputs',
    cost_usd: 'answer.cost_usd',
  };
  return {
    engines: { plain: engine, keyed: { ...engine, takes_submit_key: true } },
    models: { 'imgmodel-b-2': { engine: 'plain' }, 'imgmodel-a-2': { engine: 'keyed' } },
  };
};

/** A lease has to run out where others may share the database. */
const RESTART_MS = 60_000;

describe('killed while another service works for it, the service', () => {
  let studio: UpstreamStudio;
  beforeEach(async () => {
    studio = await startUpstreamStudio();
    studio.knows_keys = true;
  });
  afterEach(() => studio.close());

  async function endsAllUpstream(database_url: string | null): Promise<void> {
    const ENGINES_FILE = join(data_dir, 'engines.json');
    await writeFile(ENGINES_FILE, JSON.stringify(enginesFile(studio.base_url)));
    const up = () => start(database_url, { ENGINES_FILE });
    const again = async () => {
      await kill('SIGKILL');
      studio.release();
      await up();
    };
    const make = async (model: string) => (await create({ ...PICTURE, model })).id;
    const submitted = (id: string) => studio.submits.filter((key) => key === id).length;
    const jobOf = (id: string) => studio.jobs.find(({ key }) => key === id);
    const polls = (id: string) => jobOf(id)?.polls ?? 0;
    const soon = (what: string, ask: () => unknown) => waitFor(what, async () => Boolean(await ask()), RESTART_MS);
    const reach = (id: string, status: Generation['status']) =>
      soon(`${id} to be ${status}`, async () => (await get<Generation>(`/v1/generations/${id}`)).status === status);
    await up();

    studio.acts.submit = ['hang', 'hang'];
    const [lost, keyed] = [await make('imgmodel-b-2'), await make('imgmodel-a-2')];
    await soon('both submits', () => submitted(lost) + submitted(keyed) === 2);
    await again();
    await reach(lost, 'manual_review');
    await reach(keyed, 'succeeded');
    expect([submitted(lost), submitted(keyed), jobOf(keyed)?.canceled]).toEqual([1, 2, false]);

    studio.poll_default = 'running';
    const followed = await make('imgmodel-b-2');
    const canceled = await make('imgmodel-b-2');
    for (let times = 0; times < 2; times += 1) {
      const before = [polls(followed), polls(canceled)];
      await soon('polls', () => polls(followed) > (before[0] ?? 0) && polls(canceled) > (before[1] ?? 0));
      await again();
    }
    await soon('a poll', () => polls(canceled) > 0);
    studio.acts.cancel = ['drop'];
    await act(`/v1/generations/${canceled}/cancel`);
    await again();
    await soon('the canceled job to be stopped', () => jobOf(canceled)?.canceled);
    studio.poll_default = 'done';
    await reach(followed, 'succeeded');
    await act(`/v1/generations/${lost}/review`, { decision: 'reject', note: 'It was never made.' });
    expect([submitted(followed), submitted(canceled), jobOf(followed)?.canceled]).toEqual([1, 1, false]);

    const { data } = await get<{ data: Generation[] }>('/v1/generations?limit=200');
    expect(Object.fromEntries(data.map(({ id, status }) => [id, status]))).toEqual({
      [lost]: 'failed',
      [keyed]: 'succeeded',
      [followed]: 'succeeded',
      [canceled]: 'canceled',
    });
    await expectMoney(data);
    expect(await get(`/v1/generations/${followed}/upstream`)).toMatchObject({ state: 'ended', cost_usd: '0.01' });
  }

  it('sends nothing twice that may have been taken, goes on by its handles and stops what was canceled', async () => {
    await endsAllUpstream(null);
  }, 180_000);

  it.skipIf(!full_proof)(
    'does so where the database is PostgreSQL',
    async (context) => {
      const postgres = await startPostgres();
      if (!postgres) return context.skip();
      try {
        await endsAllUpstream(await postgres.createDatabase());
      } finally {
        await kill('SIGKILL');
        await postgres.stop();
      }
    },
    400_000,
  );
});
