import { readFile } from 'node:fs/promises';
import { beforeEach, describe, expect, it } from 'vitest';
import type { MediaFileInfo } from '#server/platform/media/probe-file.ts';
import { createFakeSyncHandler, createFakeSyncState } from './testing/fake-sync-server.ts';
import { respondWith, truncateResponse } from '#server/models/engine/testing/fake-upstream-server.ts';
import { useProviderPreset } from '#server/models/engine/testing/provider-preset-fixture.ts';
import type { UpstreamState } from '#server/models/engine/upstream.ts';
import { syncPreset } from './sync-preset.ts';

const PENDING = { availability: 'pending', totalCostUsd: null };
const account = createFakeSyncState();
const bench = useProviderPreset({
  preset: syncPreset,
  createHandler: (upstream) => createFakeSyncHandler(upstream, account),
  requests: (from) => account.created.slice(from),
});
beforeEach(() => {
  Object.assign(account, { created: [], assets: [], overrides: {}, cost: PENDING });
});

const lipsync = bench.findModel('video.lipsync', 'lipsync-v3');
const input = {
  video: { url: 'https://example.com/a.mp4' },
  audio: { url: 'https://example.com/a.mp3' },
  sync_mode: 'cut_off',
};
const createAdapter = () => bench.createAdapter(lipsync);
const createJob = (describeMedia?: (path: string) => Partial<MediaFileInfo>) =>
  bench.createJob(lipsync, input, describeMedia);

it('accepts every option of the form', async () => {
  expect(await bench.walk(lipsync)).toEqual({ succeeded: 5, restricted: [], rejected: [], failures: [] });
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
    for (let before = 0; before < 8; before += 1) bench.server.injectFault((_request, _response, serve) => serve());
    bench.server.injectFault(truncateResponse);
  };

  it('is repeated with the same files, by another process too', async () => {
    const job = await createJob();
    loseSubmit();
    await expect(createAdapter().submit(job)).rejects.toMatchObject({ name: 'ResponseLostError' });
    expect(bench.server.upstream.jobs).toHaveLength(1);
    expect(await createAdapter().submit(job)).toMatchObject({ status: 'accepted' });
    expect(bench.server.upstream.jobs).toHaveLength(1);
    expect(account.assets).toHaveLength(2);
  });

  it('goes to a person if its files cannot be found again', async () => {
    const job = await createJob();
    await createAdapter().submit(job);
    for (const asset of account.assets) asset.name = 'renamed.mp4';
    for (const asset of account.assets) asset.url = `${asset.url}.mp4`;
    expect(await createAdapter().submit(job)).toMatchObject({ status: 'unclear' });
    expect(bench.server.upstream.jobs).toHaveLength(1);
  });

  it.each([
    ['is adopted when Sync.so names the generation', { generationId: 'known' }, 'accepted'],
    ['is repeated when Sync.so does not', {}, 'ResponseLostError'],
  ])('%s', async (_name, details, outcome) => {
    const job = await createJob();
    for (let before = 0; before < 8; before += 1) bench.server.injectFault((_request, _response, serve) => serve());
    const body = { statusCode: 503, errorCode: 'IDEMPOTENCY_OUTCOME_UNKNOWN', message: 'Unknown', ...details };
    bench.server.injectFault(respondWith(503, JSON.stringify(body)));
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
    expect(await bench.finish(lipsync, input)).toMatchObject({ status: 'succeeded', ...expected });
  });

  it.each([
    ['failed', () => (account.overrides = { status: 'FAILED', errorCode: 'generation_pipeline_failed' })],
    ['has an unusable result', () => (bench.server.upstream.output_url = 'http://127.0.0.1:1/private')],
  ])('of a generation that %s', async (_name, breakIt) => {
    account.cost = { availability: 'complete', totalCostUsd: '0.10000000' };
    await expect(bench.finish(lipsync, input, breakIt)).rejects.toMatchObject({
      name: 'EngineError',
      cost: { cost_micro_usd: 100_000n, cost_basis: 'reported' },
    });
  });

  it('that cannot be read does not lose the result', async () => {
    account.cost = { availability: 3 };
    expect(await bench.finish(lipsync, input)).toMatchObject({ status: 'succeeded', cost_micro_usd: null });
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
    bench.server.injectFault(respondWith(status, JSON.stringify(body)));
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
  const signal = new AbortController().signal;
  expect(await syncPreset.check(bench.connection(), signal)).toBe('The key works. Models: lipsync-2, sync-3.');
  await expect(syncPreset.check(bench.connection('sk-wrong'), signal)).rejects.toThrow('rejected the API key');
  bench.server.injectFault(respondWith(200, '[{"name":"lipsync-2"}]'));
  await expect(syncPreset.check(bench.connection(), signal)).rejects.toThrow('sync-3 is not part of the plan');
});
