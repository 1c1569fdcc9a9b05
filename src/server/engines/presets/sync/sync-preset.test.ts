import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createFetcher } from '#server/net/fetcher.ts';
import type { MediaFileInfo } from '#server/media/probe-file.ts';
import { createFakeSyncHandler, createFakeSyncState } from '../../testing/fake-sync-server.ts';
import {
  type FakeUpstreamServer,
  respondWith,
  startFakeUpstream,
  truncateResponse,
} from '../../testing/fake-upstream-server.ts';
import { walkPreset, writeReferences } from '../../testing/preset-walk.ts';
import type { UpstreamState } from '../../upstream.ts';
import type { PresetConnection, PresetModel } from '../preset.ts';
import { syncPreset } from './sync-preset.ts';

const KEY = 'sk-0123456789-secret';
const PENDING = { availability: 'pending', totalCostUsd: null };
const account = createFakeSyncState();
let server: FakeUpstreamServer;
let directory: string;

beforeAll(async () => {
  server = await startFakeUpstream(KEY, (upstream) => createFakeSyncHandler(upstream, account));
  directory = await mkdtemp(join(tmpdir(), 'sync-'));
});
afterAll(async () => {
  await server.close();
  await rm(directory, { recursive: true });
});
beforeEach(() => {
  Object.assign(account, { created: [], assets: [], overrides: {}, cost: PENDING });
  server.upstream.jobs.length = 0;
  server.upstream.outputs = [Buffer.from('output')];
});

const connection = (api_key = KEY): PresetConnection => ({
  address: server.base_url,
  api_key,
  openService: (base_url) => createFetcher().createService(base_url),
  deadline_ms: 60_000,
});
const [lipsync = expect.fail('no model')] = syncPreset.models as [PresetModel];
const createAdapter = () =>
  lipsync.createAdapter(connection(), { task: 'video.lipsync', model: 'lipsync-v3', markup_percent: null });
const completeJobs = () => {
  for (const job of server.upstream.jobs) job.state = 'succeeded';
};

const input = {
  video: { url: 'https://example.com/a.mp4' },
  audio: { url: 'https://example.com/a.mp3' },
  sync_mode: 'cut_off',
};
let submits = 0;

async function createJob(media: (path: string) => Partial<MediaFileInfo> = () => ({})) {
  submits += 1;
  const submit_key = `gen_sync_${submits}`;
  const references = await writeReferences(lipsync, input, directory, media);
  const ids = { generation_id: submit_key, submit_key, task: lipsync.task, model: lipsync.model, input };
  const signal = new AbortController().signal;
  return { ...ids, references, work_dir: directory, signal, onProgress: () => undefined };
}

async function finish(): Promise<UpstreamState> {
  const job = await createJob();
  const state = await createAdapter().submit(job);
  if (state.status !== 'accepted') return state;
  completeJobs();
  return createAdapter().poll(job, state.handle);
}

it('accepts every option of the form', async () => {
  const report = await walkPreset({
    preset_model: lipsync,
    adapter: createAdapter(),
    directory,
    completeJobs,
    requests: () => account.created,
  });
  expect(report).toEqual({ succeeded: 5, restricted: [], rejected: [], failures: [] });
});

it('uploads both files and sends their ids', async () => {
  const job = await createJob();
  await createAdapter().submit(job);
  const [video, audio] = account.assets;
  expect(account.created).toEqual([
    {
      model: 'sync-3',
      input: [
        { type: 'video', assetId: video?.id },
        { type: 'audio', assetId: audio?.id },
      ],
      options: { sync_mode: 'cut_off' },
    },
  ]);
  expect(await Promise.all(job.references.map(({ file }) => readFile(file)))).toEqual([video?.bytes, audio?.bytes]);
});

describe('a submit whose response is lost', () => {
  /** Lets the requests before it pass. */
  const loseSubmit = () => {
    for (let before = 0; before < 8; before += 1) server.injectFault((_request, _response, serve) => serve());
    server.injectFault(truncateResponse);
  };

  it('is repeated with the same files, by another process too', async () => {
    const job = await createJob();
    loseSubmit();
    await expect(createAdapter().submit(job)).rejects.toMatchObject({ name: 'ResponseLostError' });
    expect(server.upstream.jobs).toHaveLength(1);
    expect(await createAdapter().submit(job)).toMatchObject({ status: 'accepted' });
    expect(server.upstream.jobs).toHaveLength(1);
    expect(account.assets).toHaveLength(2);
  });

  it('goes to a person if its files cannot be found again', async () => {
    const job = await createJob();
    await createAdapter().submit(job);
    for (const asset of account.assets) asset.name = 'renamed.mp4';
    for (const asset of account.assets) asset.url = `${asset.url}.mp4`;
    expect(await createAdapter().submit(job)).toMatchObject({ status: 'unclear' });
    expect(server.upstream.jobs).toHaveLength(1);
  });

  it.each([
    ['is adopted when Sync.so names the generation', { generationId: 'known' }, 'accepted'],
    ['is repeated when Sync.so does not', {}, 'ResponseLostError'],
  ])('%s', async (_name, details, outcome) => {
    const job = await createJob();
    for (let before = 0; before < 8; before += 1) server.injectFault((_request, _response, serve) => serve());
    const body = { statusCode: 503, errorCode: 'IDEMPOTENCY_OUTCOME_UNKNOWN', message: 'Unknown', ...details };
    server.injectFault(respondWith(503, JSON.stringify(body)));
    const state = await createAdapter()
      .submit(job)
      .catch((error: unknown) => error);
    expect(state instanceof Error ? state.name : (state as UpstreamState).status).toBe(outcome);
  });
});

describe('cost', () => {
  it.each([
    [
      { availability: 'complete', totalCostUsd: '0.53200000' },
      { cost_micro_usd: 532_000n, cost_basis: 'reported' },
    ],
    [PENDING, { cost_micro_usd: null }],
  ])('of %j', async (cost, expected) => {
    account.cost = cost;
    expect(await finish()).toMatchObject({ status: 'succeeded', ...expected });
  });

  it('that cannot be read does not lose the result', async () => {
    account.cost = { availability: 3 };
    expect(await finish()).toMatchObject({ status: 'succeeded', cost_micro_usd: null });
  });
});

describe('errors of Sync.so', () => {
  it.each([
    [402, { errorCode: 'free_tier_generations_exhausted' }, { message: expect.stringMatching(/no credit left/) }],
    [429, { errorCode: 'concurrency_limit_reached', retryAfterSeconds: 20 }, { retry_after_ms: 20_000 }],
    [
      422,
      { errorCode: 'generation_input_validation_failed', message: ['Too long.', 'Cut it.'] },
      { message: 'The provider rejected the request: Too long. Cut it.' },
    ],
  ])('%i %j', async (status, body, expected) => {
    server.injectFault(respondWith(status, JSON.stringify(body)));
    await expect(createAdapter().submit(await createJob())).rejects.toMatchObject(expected);
  });

  it.each([
    ['FAILED', 'generation_input_audio_invalid', 'invalid_media', false],
    ['FAILED', 'generation_infra_storage_error', 'engine_failed', true],
    ['REJECTED', null, 'engine_failed', false],
  ])('%s with %s', async (status, errorCode, code, retryable) => {
    account.overrides = { status: 'PENDING' };
    const job = await createJob();
    const state = await createAdapter().submit(job);
    if (state.status !== 'accepted') return expect.fail(state.status);
    account.overrides = { status, errorCode, error: 'This failed' };
    await expect(createAdapter().poll(job, state.handle)).rejects.toMatchObject({
      code,
      retryable,
      message: 'The lip sync failed: This failed.',
    });
  });

  it.each([
    ['video', 'video/x-matroska', 'Sync.so takes MP4, MOV and WebM videos.'],
    ['audio', 'audio/webm', 'Sync.so takes MP3, WAV, OGG, FLAC, M4A and AAC audio.'],
  ])('a %s of type %s is rejected before it is sent', async (field, mime_type, message) => {
    const job = await createJob((path) => (path === field ? { mime_type } : {}));
    await expect(createAdapter().submit(job)).rejects.toMatchObject({ code: 'invalid_media', message });
  });
});

it('tests a key and the plan without creating a generation', async () => {
  const signal = AbortSignal.timeout(5_000);
  expect(await syncPreset.check(connection(), signal)).toBe('The key works. Models: lipsync-2, sync-3.');
  await expect(syncPreset.check(connection('sk-wrong'), signal)).rejects.toThrow('rejected the API key');
  server.injectFault(respondWith(200, '[{"name":"lipsync-2"}]'));
  await expect(syncPreset.check(connection(), signal)).rejects.toThrow('sync-3 is not part of the plan');
});
