import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createFetcher } from '#server/platform/net/fetcher.ts';
import { describeUpstreamConformance } from '#server/models/engine/testing/upstream-conformance.ts';
import {
  respondWith,
  truncateResponse,
  startFakeUpstream,
  type FakeUpstreamServer,
} from '#server/models/engine/testing/fake-upstream-server.ts';
import type { ResolvedReference } from '#server/models/engine/engine.ts';
import { UnfetchedOutputError } from '#server/models/engine/unfetched-output.ts';
import { compileMapping } from '#server/models/engine/mapping/mapping.ts';
import type { UpstreamHandle, UpstreamEngineJob, UpstreamState } from '#server/models/engine/upstream.ts';
import { mapPredictionInput } from './prediction-input.ts';
import { createReplicateAdapter, type ReplicateAdapterOptions } from './replicate-adapter.ts';
import {
  createFakeReplicateState,
  type FakeReplicateState,
  createFakeReplicateHandler,
} from './testing/fake-replicate-server.ts';

const MODEL = 'acme/painter';
const buildInput = mapPredictionInput(compileMapping('{ "prompt": input.prompt, "image": $file(references[0]) }'));
const input = { prompt: 'a pear' };

describeUpstreamConformance('replicate', {
  createHandler: createFakeReplicateHandler,
  createAdapter: (options) => createReplicateAdapter({ ...options, model: MODEL, buildInput }),
  job: { task: 'image.create', model: 'imgmodel-a-2', input },
  cancelable_states: ['queued', 'running'],
  returns_urls: true,
});

describeUpstreamConformance('replicate, official model', {
  createHandler: createFakeReplicateHandler,
  createAdapter: (options) =>
    createReplicateAdapter({ ...options, model: MODEL, is_official: true, buildInput: () => ({ prompt: 'a pear' }) }),
  job: { task: 'image.create', model: 'imgmodel-a-2', input },
  cancelable_states: ['queued', 'running'],
});

let server: FakeUpstreamServer;
let account: FakeReplicateState;
let folder: string;
beforeEach(async () => {
  account = createFakeReplicateState();
  server = await startFakeUpstream('r8_secret', (upstream) => createFakeReplicateHandler(upstream, account));
  folder = await mkdtemp(join(tmpdir(), 'replicate-'));
});
afterEach(async () => {
  await server.close();
  await rm(folder, { recursive: true });
});

const adapter = (options: Partial<ReplicateAdapterOptions> = {}) =>
  createReplicateAdapter({
    service: createFetcher().createService(server.base_url),
    api_key: 'r8_secret',
    model: MODEL,
    buildInput,
    ...options,
  });

const job = (references: ResolvedReference[] = []): UpstreamEngineJob => ({
  generation_id: 'gen_1',
  submit_key: 'gen_1',
  task: 'image.edit',
  model: 'imgmodel-a-2',
  model_version: null,
  input,
  references,
  workDir: folder,
  signal: new AbortController().signal,
  onProgress: () => undefined,
});

async function reference(size_bytes: number, path = 'images.0'): Promise<ResolvedReference> {
  const file = join(folder, `reference-${path}`);
  await writeFile(file, randomBytes(size_bytes));
  const media = { kind: 'image', mime_type: 'image/png', extension: 'png', size_bytes, width: 8, height: 8 } as const;
  const shape = { duration_seconds: null, fps: null, has_audio: false };
  return { path, url: 'https://example.com/a.png', role: null, file, media: { ...media, ...shape } };
}

function handleOf(state: UpstreamState): UpstreamHandle {
  if (state.status !== 'accepted') return expect.fail(`It is ${state.status}.`);
  return state.handle;
}

async function pollWith(overrides: Record<string, unknown>, options: Partial<ReplicateAdapterOptions> = {}) {
  const handle = handleOf(await adapter(options).submit(job()));
  account.overrides = overrides;
  return adapter(options).poll(job(), handle);
}

describe('submitting to Replicate', () => {
  it('sends model, input and deadline', async () => {
    await adapter().submit(job());
    await adapter({ deadlineMs: 90_500 }).submit(job());
    await adapter({ deadlineMs: 1 }).submit(job());
    expect(account.created).toEqual([
      { version: MODEL, input, cancel_after: undefined },
      { version: MODEL, input, cancel_after: '91s' },
      { version: MODEL, input, cancel_after: '5s' },
    ]);
  });

  it('embeds a small file in the request', async () => {
    const small = await reference(256 * 1024);
    await adapter().submit(job([small]));
    const expected = `data:image/png;base64,${await readFile(small.file, 'base64')}`;
    expect(account.created[0]?.input['image']).toBe(expected);
    expect(account.files.size).toBe(0);
  });

  it('uploads larger files, but none that the request does not name', async () => {
    const large = await reference(256 * 1024 + 1);
    await adapter().submit(job([large, await reference(300_000, 'images.1')]));
    const [[url, sent] = []] = [...account.files];
    expect(account.created[0]?.input['image']).toBe(url);
    expect(account.files.size).toBe(1);
    expect(sent).toMatchObject({ name: 'reference.png', type: 'image/png', bytes: await readFile(large.file) });
  });

  it('is busy when the response to an upload is lost', async () => {
    server.injectFault(truncateResponse);
    await expect(adapter().submit(job([await reference(300_000)]))).rejects.toMatchObject({
      name: 'UpstreamBusyError',
    });
    expect(server.upstream.jobs).toEqual([]);
  });

  it('reads the delay from the text of a 429 response', async () => {
    server.injectFault(respondWith(429, '{"detail":"Request was throttled. Your rate limit resets in ~30s."}'));
    await expect(adapter().submit(job())).rejects.toMatchObject({ name: 'UpstreamBusyError', retry_after_ms: 30_000 });
  });

  it('does not ask the user to pay the operator’s bill', async () => {
    server.injectFault(respondWith(402, '{"title":"Insufficient credit","detail":"Go to billing","status":402}'));
    await expect(adapter().submit(job())).rejects.toMatchObject({
      name: 'EngineError',
      code: 'model_unavailable',
      message: 'The provider account has no credit left. Ask the operator to top it up.',
    });
  });

  it('reports an invalid input', async () => {
    const wrong = mapPredictionInput(compileMapping('"no object"'));
    await expect(adapter({ buildInput: wrong }).submit(job())).rejects.toMatchObject({
      message: 'The provider rejected the request: - input: Invalid.',
    });
  });
});

describe('polling Replicate', () => {
  const bar = (percentage: number) => `${percentage}%|███       | ${percentage}/100 [00:01<00:02, 33.0it/s]`;
  it.each([
    [{ status: 'starting' }, 0],
    [{ status: 'processing', logs: null }, null],
    [{ status: 'processing', logs: 'Using seed: 5' }, null],
    [{ status: 'processing', logs: `Using seed: 5\n${bar(10)}\r${bar(40)}\nsaving` }, 0.4],
  ])('reads progress from %j', async (overrides, progress) => {
    expect(await pollWith(overrides)).toMatchObject({ status: 'accepted', progress });
  });

  it('reads the stage from the log', async () => {
    const stageOf = (overrides: Record<string, unknown>) => pollWith(overrides);
    expect(await stageOf({ status: 'starting' })).toMatchObject({ provider_status: { stage: 'Starting' } });
    const logs = `Loading r8_secret weights\n${bar(40)}\n`;
    expect(await stageOf({ status: 'processing', logs })).toMatchObject({
      provider_status: { queue_position: null, stage: 'Loading ••• weights' },
    });
    expect(await stageOf({ status: 'processing' })).toMatchObject({ provider_status: null });
  });

  it.each<[string, (url: string) => unknown]>([
    ['a text', (url) => url],
    ['a list', (url) => [url]],
    ['an object', (url) => ({ seed: 7, note: 'done', image: url })],
    ['a data URL', () => `data:image/png;base64,${server.upstream.outputs[0]?.toString('base64')}`],
  ])('takes the output from %s', async (_name, outputOf) => {
    server.upstream.outputs = [randomBytes(1_000)];
    const state = await pollWith({ status: 'succeeded', output: outputOf(`${server.base_url}/delivery/x/0.png`) });
    if (state.status !== 'succeeded') return expect.fail(state.status);
    expect(state).toMatchObject({ cost_micro_usd: null, result: { data: null } });
    expect(await Promise.all(state.result.files.map((file) => readFile(file)))).toEqual(server.upstream.outputs);
  });

  it('uses the operator’s mapping for files and data', async () => {
    server.upstream.outputs = [randomBytes(10), randomBytes(10)];
    const output = compileMapping('{ "files": prediction.output.clips.src, "data": { "id": prediction.id } }');
    const clips = [1, 0].map((at) => ({ src: `${server.base_url}/delivery/x/${at}.png` }));
    const state = await pollWith({ status: 'succeeded', output: { clips } }, { output });
    if (state.status !== 'succeeded') return expect.fail(state.status);
    expect(state.result.data).toEqual({ id: server.upstream.jobs[0]?.id });
    const bytes = await Promise.all(state.result.files.map((file) => readFile(file)));
    expect(bytes).toEqual(server.upstream.outputs.toReversed());
  });

  it('is unclear when the output was removed or the mapping finds nothing', async () => {
    const removed = { status: 'succeeded', output: null, data_removed: true };
    expect(await pollWith(removed)).toMatchObject({ status: 'unclear', reason: expect.stringContaining('removed') });
    const output = compileMapping('prediction.output.nothing');
    expect(await pollWith({ status: 'succeeded', output: { image: 1 } }, { output })).toMatchObject({
      status: 'unclear',
    });
  });

  it('names the address of an output that no longer exists', async () => {
    const output = `${server.base_url}/nowhere.png`;
    const failure = await pollWith({ status: 'succeeded', output }).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(UnfetchedOutputError);
    expect(failure).toMatchObject({ message: expect.stringContaining(output) });
  });

  const deadline = '2026-01-01T00:01:00.000Z';
  it.each([
    [{ status: 'failed', error: 'NSFW content detected. Try a different prompt.' }, 'content_refused', false],
    [{ status: 'failed', error: 'Out of memory (E1001)' }, 'engine_failed', false],
    [{ status: 'failed', error: 'Prediction failed to start (E6716)' }, 'engine_failed', true],
    [{ status: 'failed', error: null }, 'engine_failed', false],
    [{ status: 'aborted' }, 'timeout', true],
    [{ status: 'canceled', deadline, completed_at: '2026-01-01T00:01:00.020Z' }, 'timeout', true],
    [{ status: 'canceled', deadline, completed_at: '2026-01-01T00:00:20.000Z' }, 'engine_failed', true],
  ])('reports why a prediction failed: %j', async (overrides, code, retryable) => {
    const message = expect.stringMatching(/^[A-Z].*\.$/);
    await expect(pollWith(overrides)).rejects.toMatchObject({ name: 'EngineError', code, retryable, message });
  });

  it('retries after an undocumented status', async () => {
    await expect(pollWith({ status: 'pondering' })).rejects.toMatchObject({ name: 'ResponseLostError' });
  });
});
