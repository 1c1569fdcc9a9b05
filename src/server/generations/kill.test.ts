import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { openAsBlob } from 'node:fs';
import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { LedgerEntry } from '#contract/resources/billing.ts';
import { isActive } from '#contract/generation-status.ts';
import type { Generation } from '#contract/resources/generation.ts';
import { runFfmpeg } from '../media/ffmpeg.ts';
import { resolveMediaTools } from '../media/media-tools.ts';
import { startPostgres } from '../testing/databases.ts';
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

async function start(database_url: string | null): Promise<void> {
  const env = { PATH: process.env['PATH'], DATA_DIR: data_dir, PORT: String(port), BOOTSTRAP_API_KEY: KEY };
  const database = database_url === null ? {} : { DATABASE_URL: database_url };
  const limits = { RATE_LIMIT_PER_MINUTE: '100000', LOG_LEVEL: 'error' };
  server = spawn(process.execPath, [MAIN], {
    env: { ...env, ...limits, ...database },
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
  const trim = { task: 'video.trim', input: { video: { url: source }, start_seconds: 0.5, end_seconds: 7 } };
  const acknowledged: string[] = [];
  // After the last kill it is told to stop, which is to leave just as little behind.
  for (let round = 0; round <= KILLS; round += 1) {
    for (const order of [trim, PICTURE, PICTURE, PICTURE, ...(round % 3 === 0 ? [SHORT_VIDEO] : [])]) {
      acknowledged.push((await create(order)).id);
    }
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
    const left = ended.filter(({ status }) => isActive(status)).length;
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
};

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
        const named = assetIds(ended);
        const stored = await filesBelow('media', 'objects');
        for (const id of named) expect(stored.some((key) => key.includes(id))).toBe(true);
        expect(stored).toHaveLength(named.length + 1);
        expect(await filesBelow('media', 'tmp')).toEqual([]);
        await waitFor('the last job folder to go', async () => (await filesBelow('scratch')).length === 0);
        expect(await processesAtWork()).toEqual([]);
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
          const stored = await filesBelow('media', 'objects');
          for (const id of assetIds(ended)) expect(stored.some((key) => key.includes(id))).toBe(true);
          expect(await processesAtWork()).toEqual([]);
        } finally {
          await kill('SIGKILL');
          await postgres.stop();
        }
      },
      timeout_ms,
    );
  },
);
