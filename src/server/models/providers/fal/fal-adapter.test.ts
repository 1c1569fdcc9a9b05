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
import { compileMapping } from '#server/models/engine/mapping/mapping.ts';
import { createUpstreamHttp } from '#server/models/engine/upstream-http.ts';
import type { UpstreamHandle, UpstreamEngineJob, UpstreamState } from '#server/models/engine/upstream.ts';
import { createFalAdapter, type FalAdapterOptions } from './fal-adapter.ts';
import { buildFalHandle } from './fal-adapter.ts';
import { uploadToFal } from './fal-storage.ts';
import { falOptions } from '#server/models/config/adapter-options.ts';
import { createFakeFalRecord, type FakeFalRecord } from './testing/fake-fal-record.ts';
import { createFakeFalHandler } from './testing/fake-fal-server.ts';

describeUpstreamConformance('fal', {
  createHandler: (upstream) => createFakeFalHandler(upstream),
  createAdapter: (options) => createFalAdapter({ ...options, model: 'fal-ai/flux/dev' }),
  job: { task: 'image.create', model: 'imgmodel-b-2', input: { prompt: 'A cat' } },
  cancelable_states: ['queued', 'running'],
});

describe('the fal adapter', () => {
  let server: FakeUpstreamServer;
  let record: FakeFalRecord;
  let workDir: string;

  beforeEach(async () => {
    record = createFakeFalRecord();
    workDir = await mkdtemp(join(tmpdir(), 'fal-'));
    server = await startFakeUpstream('fal-id:fal-secret', (upstream) => createFakeFalHandler(upstream, record));
    server.upstream.outputs = [Buffer.from('one'), Buffer.from('two')];
  });
  afterEach(async () => {
    await server.close();
    await rm(workDir, { recursive: true });
  });

  const reference = async (path: string, kind: ResolvedReference['media']['kind'], size = 10) => {
    const file = join(workDir, `in-${path}`);
    await writeFile(file, randomBytes(size));
    const [mime_type = '', extension = ''] = {
      image: ['image/png', 'png'],
      video: ['video/mp4', 'mp4'],
      audio: ['audio/mpeg', 'mp3'],
    }[kind];
    const none = { width: null, height: null, duration_seconds: null, fps: null, has_audio: false };
    return {
      path,
      url: `https://x.test/${path}`,
      role: null,
      file,
      media: { kind, mime_type, extension, size_bytes: size, ...none },
    };
  };
  const adapter = (options: Partial<FalAdapterOptions> = {}) =>
    createFalAdapter({
      service: createFetcher().createService(server.base_url),
      storage_url: server.base_url,
      api_key: 'fal-id:fal-secret',
      model: 'fal-ai/flux/dev',
      ...options,
    });
  const job = (more: Partial<UpstreamEngineJob> = {}): UpstreamEngineJob => ({
    generation_id: 'gen_1',
    submit_key: 'gen_1',
    task: 'image.create',
    model: 'imgmodel-b-2',
    model_version: null,
    input: { prompt: 'A cat' },
    references: [],
    workDir,
    signal: new AbortController().signal,
    onProgress: () => undefined,
    ...more,
  });
  const handleOf = (state: UpstreamState): UpstreamHandle =>
    state.status === 'accepted' ? state.handle : expect.fail(state.status);
  const end = async (
    more: Partial<UpstreamEngineJob> = {},
    options: Partial<FalAdapterOptions> = {},
  ): Promise<UpstreamState> => {
    const handle = handleOf(await adapter(options).submit(job(more)));
    for (const work of server.upstream.jobs) if (work.state === 'queued') work.state = 'succeeded';
    return adapter(options).poll(job(more), handle);
  };

  it('sends the input under common names and embeds small files', async () => {
    const references = [await reference('first_frame', 'image'), await reference('last_frame', 'image')];
    for (const path of ['reference_images.0', 'reference_images.1']) references.push(await reference(path, 'image'));
    const input = {
      prompt: 'auto',
      aspect_ratio: 'adaptive',
      resolution: '720p',
      duration_seconds: 5,
      generate_audio: false,
      seed: null,
    };
    await adapter().submit(
      job({ task: 'video.create', input: { ...input, reference_images: [{ url: 'x' }] }, references }),
    );
    const [{ path, input: sent } = {}] = record.submits;
    const data = async (at: number) => `data:image/png;base64,${await readFile(references[at]?.file ?? '', 'base64')}`;
    expect(path).toBe('/fal-ai/flux/dev');
    expect(sent).toEqual({
      prompt: 'auto',
      resolution: '720p',
      duration: '5',
      generate_audio: false,
      image_url: await data(0),
      end_image_url: await data(1),
      image_urls: [await data(2), await data(3)],
    });
  });

  it('uploads large files to fal’s storage without sending the key to the upload URL', async () => {
    const references = [await reference('video', 'video', 400_000), await reference('audio', 'audio', 300_000)];
    const input = { sync_mode: 'loop' };
    await adapter({ expire_after_seconds: 86_400 }).submit(job({ task: 'video.lipsync', input, references }));
    expect(record.submits[0]?.input).toEqual({
      sync_mode: 'loop',
      video_url: `${server.base_url}/files/in-0`,
      audio_url: `${server.base_url}/files/in-1`,
    });
    expect(record.uploads).toMatchObject([
      { content_type: 'video/mp4', file_name: 'reference.mp4', whole: true },
      { content_type: 'audio/mpeg', file_name: 'reference.mp3' },
    ]);
    expect(record.uploads[0]?.headers['x-fal-object-lifecycle']).toBe('{"expiration_duration_seconds":86400}');
    for (const [at, { file }] of references.entries()) {
      expect(record.uploads[at]?.bytes.equals(await readFile(file))).toBe(true);
    }
  });

  it('is busy when an upload fails, because no job exists yet', async () => {
    const references = [await reference('video', 'video', 400_000)];
    for (const fault of [respondWith(500, 'oops'), truncateResponse, respondWith(200, '[]')]) {
      server.injectFault(fault);
      await expect(adapter().submit(job({ references }))).rejects.toMatchObject({ name: 'UpstreamBusyError' });
    }
    expect(record.submits).toEqual([]);
  });

  it('uploads very large files in parts', async () => {
    const references = [await reference('video', 'video', 21 * 1024 * 1024)];
    const [{ file } = { file: '' }] = references;
    const http = createUpstreamHttp({
      service: createFetcher().createService(server.base_url),
      api_key: 'fal-id:fal-secret',
      headers: (key) => ({ authorization: `Key ${key}` }),
    });
    const storage = { storage_url: server.base_url, max_whole_bytes: 20 * 1024 * 1024 };
    for (const large of references) {
      expect(await uploadToFal(http, storage, large, job().signal)).toBe(`${server.base_url}/files/in-0`);
    }
    expect(record.uploads).toMatchObject([{ whole: true }]);
    expect(record.uploads[0]?.bytes.equals(await readFile(file))).toBe(true);
  });

  it('uses the operator’s expressions for the request and the outputs', async () => {
    const references = [await reference('reference_images.0', 'image')];
    record.extra = { result: { sheet: `${server.base_url}/files/1` } };
    const request = compileMapping('{ "text": input.prompt, "pictures": [{ "url": $file(references[0]) }] }');
    const state = await end({ references }, { request, output: compileMapping('result.result.sheet') });
    expect(record.submits[0]?.input).toMatchObject({
      text: 'A cat',
      pictures: [{ url: expect.stringMatching(/^data:/) }],
    });
    if (state.status !== 'succeeded') return expect.fail(state.status);
    expect(await Promise.all(state.result.files.map((file) => readFile(file, 'utf8')))).toEqual(['two']);
  });

  it('sends deadline, priority and expiry of files', async () => {
    await adapter({ deadlineMs: 600_000, priority: 'low', expire_after_seconds: 3_600 }).submit(job());
    expect(record.submits[0]?.headers).toMatchObject({
      'x-fal-request-timeout': '600',
      'x-fal-queue-priority': 'low',
      'x-fal-object-lifecycle-preference': '{"expiration_duration_seconds":3600}',
    });
  });

  it('drops outputs that the safety checker blackened and fails when none is left', async () => {
    record.extra = { has_nsfw_concepts: [true, false] };
    const state = await end();
    if (state.status !== 'succeeded') return expect.fail(state.status);
    expect(await Promise.all(state.result.files.map((file) => readFile(file, 'utf8')))).toEqual(['two']);
    record.extra = { has_nsfw_concepts: [true, true] };
    await expect(end()).rejects.toMatchObject({ code: 'content_refused' });
  });

  it.each<[number, object, Record<string, string>, object]>([
    [504, { detail: 'Timed out', error_type: 'request_timeout' }, {}, { code: 'timeout', retryable: true }],
    [500, { detail: 'x' }, { 'x-fal-error-type': 'runner_server_error' }, { code: 'engine_failed', retryable: true }],
    [
      422,
      { detail: [{ msg: 'Too small', type: 'image_too_small' }] },
      {},
      { message: 'The provider rejected the request: Too small.', retryable: false },
    ],
    [
      500,
      { detail: [{ msg: 'Broke', type: 'internal_server_error' }] },
      {},
      { message: 'The provider failed: Broke.', retryable: true },
    ],
    [
      400,
      { detail: 'odd', error_type: 'never_seen' },
      {},
      { message: 'The provider rejected the request: odd.', retryable: false },
    ],
    [502, { message: 'Bad gateway' }, {}, { name: 'ResponseLostError' }],
  ])('tells failed work from a lost answer: %i %j', async (status, body, headers, error) => {
    const handle = handleOf(await adapter().submit(job()));
    for (const work of server.upstream.jobs) work.state = 'succeeded';
    server.injectFault((_request, _response, serve) => serve());
    server.injectFault(respondWith(status, JSON.stringify(body), headers));
    await expect(adapter().poll(job(), handle)).rejects.toMatchObject(error);
  });

  it('reports that the account has no credit left', async () => {
    server.injectFault(
      respondWith(403, JSON.stringify({ detail: 'User is locked. Reason: Exhausted balance. Top up.' })),
    );
    await expect(adapter().submit(job())).rejects.toMatchObject({
      message: 'The provider account has no credit left. Ask the operator to top it up.',
    });
  });
});

describe('URLs of a fal request', () => {
  const taken = { request_id: 'r-1', status_url: 'https://queue.fal.run/fal-ai/flux/requests/r-1/status' };

  it('are those that fal returned, or built from the base URL behind a proxy', () => {
    expect(buildFalHandle(taken, 'fal-ai/flux/dev', 'https://queue.fal.run').status_url).toBe(taken.status_url);
    expect(buildFalHandle(taken, 'workflows/me/flow/x', 'http://proxy.test/fal')).toEqual({
      request_id: 'r-1',
      endpoint: 'workflows/me/flow/x',
      response_url: 'http://proxy.test/fal/workflows/me/flow/requests/r-1',
      status_url: 'http://proxy.test/fal/workflows/me/flow/requests/r-1/status',
      cancel_url: 'http://proxy.test/fal/workflows/me/flow/requests/r-1/cancel',
    });
  });

  it.each(['fal-ai/flux', 'fal-ai/flux/dev', 'fal-ai/kling-video/v2.1/master/text-to-video', 'workflows/a/b'])(
    'may be the model %s',
    (model) => expect(falOptions.safeParse({ model }).success).toBe(true),
  );
  it.each(['flux', '/fal-ai/flux', 'fal-ai/../x', 'fal-ai/flux/requests/x', 'fal-ai/flux?x', 'https://fal.run/a/b'])(
    'may not be the model %s',
    (model) => expect(falOptions.safeParse({ model }).success).toBe(false),
  );
});
