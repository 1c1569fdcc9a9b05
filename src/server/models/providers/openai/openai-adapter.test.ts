import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createFetcher } from '#server/platform/net/fetcher.ts';
import { describeUpstreamConformance } from '#server/models/engine/testing/upstream-conformance.ts';
import {
  respondWith,
  startFakeUpstream,
  type FakeUpstreamServer,
} from '#server/models/engine/testing/fake-upstream-server.ts';
import type { ResolvedReference } from '#server/models/engine/engine.ts';
import { compileMapping } from '#server/models/engine/mapping/mapping.ts';
import type { UpstreamEngineJob, UpstreamState } from '#server/models/engine/upstream.ts';
import { createOpenAiAdapter, type OpenAiAdapterOptions } from './openai-adapter.ts';
import { createFakeOpenAiHandler, type FakeOpenAiRequest } from './testing/fake-openai-server.ts';

const image = { prompt: 'A cat', quality: 'low', size: '1024x1024' };
const video = { prompt: 'A cat', aspect_ratio: '9:16', duration_seconds: 4 };

describeUpstreamConformance('OpenAI’s Images API', {
  createHandler: (upstream) => createFakeOpenAiHandler(upstream),
  createAdapter: (options) => createOpenAiAdapter({ ...options, model: 'gpt-image-2' }),
  job: { task: 'image.create', model: 'imgmodel-a-2.5-flare', input: image },
  immediate: true,
});

describeUpstreamConformance('OpenAI’s Videos API', {
  createHandler: (upstream) => createFakeOpenAiHandler(upstream),
  createAdapter: (options) => createOpenAiAdapter({ ...options, model: 'sora-2' }),
  job: { task: 'video.create', model: 'omni-video', input: video },
});

describe('the OpenAI adapter', () => {
  let server: FakeUpstreamServer;
  let sent: FakeOpenAiRequest[];
  let workDir: string;

  beforeEach(async () => {
    sent = [];
    workDir = await mkdtemp(join(tmpdir(), 'openai-'));
    server = await startFakeUpstream('sk-0123456789', (upstream) => createFakeOpenAiHandler(upstream, sent));
    server.upstream.outputs = [Buffer.from('one'), Buffer.from('two')];
  });
  afterEach(async () => {
    await server.close();
    await rm(workDir, { recursive: true });
  });

  const reference = async (path: string, kind: 'image' | 'video' = 'image', size = 10): Promise<ResolvedReference> => {
    const file = join(workDir, `in-${path}`);
    await writeFile(file, randomBytes(size));
    const [mime_type, extension] = kind === 'image' ? ['image/png', 'png'] : ['video/mp4', 'mp4'];
    const media = { kind, mime_type, extension, size_bytes: size, width: 640, height: 480 };
    const none = { duration_seconds: null, fps: null, has_audio: false };
    return { path, url: `https://x.test/${path}`, role: null, file, media: { ...media, ...none } };
  };
  const submit = (
    job: Partial<UpstreamEngineJob>,
    options: Partial<OpenAiAdapterOptions> = {},
  ): Promise<UpstreamState> => {
    const service = createFetcher().createService(server.base_url);
    return createOpenAiAdapter({ service, api_key: 'sk-0123456789', model: 'gpt-image-2', ...options }).submit({
      generation_id: 'gen_1',
      submit_key: 'gen_1',
      task: 'image.create',
      model: 'imgmodel-a-2',
      model_version: null,
      input: image,
      references: [],
      workDir,
      signal: new AbortController().signal,
      onProgress: () => undefined,
      ...job,
    });
  };

  it('translates an image input and returns every image', async () => {
    const input = { prompt: 'A cat', aspect_ratio: '16:9', resolution: '2K', background: null, reference_images: [] };
    const state = await submit({ input }, { organization: 'org-1', project: 'proj_1' });
    expect(sent[0]).toMatchObject({
      path: '/images/generations',
      headers: { 'openai-organization': 'org-1', 'openai-project': 'proj_1' },
    });
    expect(sent[0]?.fields).toEqual({ model: 'gpt-image-2', prompt: 'A cat', size: '2736x1536' });
    if (state.status !== 'succeeded') return expect.fail(state.status);
    expect(await Promise.all(state.result.files.map((file) => readFile(file, 'utf8')))).toEqual(['one', 'two']);
  });

  it('reports the quality that the model chose for auto', async () => {
    const state = await submit({ input: { ...image, quality: 'auto' } });
    expect(state).toMatchObject({ result: { used: { quality: 'medium', size: '1024x1024' } } });
  });

  it('downloads images that the provider returns as URLs', async () => {
    const state = await submit({}, { model: 'dall-e-2' });
    if (state.status !== 'succeeded') return expect.fail(state.status);
    expect(await Promise.all(state.result.files.map((file) => readFile(file, 'utf8')))).toEqual(['one', 'two']);
  });

  it('sends source images unchanged and in order as form files', async () => {
    const references = [await reference('images.0', 'image', 300_000), await reference('images.1')];
    const input = { prompt: 'Größer "quoted"', aspect_ratio: '1:1', resolution: '1K', output_format: 'jpeg' };
    await submit({ task: 'image.edit', input, references }, { model: 'gpt-image-1' });
    expect(sent[0]).toMatchObject({
      path: '/images/edits',
      fields: { model: 'gpt-image-1', prompt: 'Größer "quoted"', size: '1024x1024', output_format: 'jpeg' },
      files: [
        { field: 'image[]', filename: 'images-0.png', mime_type: 'image/png' },
        { field: 'image[]', filename: 'images-1.png', mime_type: 'image/png' },
      ],
    });
    for (const [index, { file }] of references.entries()) {
      expect(sent[0]?.files[index]?.bytes.equals(await readFile(file))).toBe(true);
    }
  });

  it('sends the operator’s request with only the files that it names', async () => {
    const references = [await reference('images.0'), await reference('images.1')];
    const mask = sharp({ create: { width: 640, height: 480, channels: 4, background: '#fff8' } });
    await mask.png().toFile(references[1]?.file ?? '');
    const request = compileMapping(
      '{ "prompt": $uppercase(input.prompt), "n": 2, "image": $file("images.0"), "mask": $file(references[1]) }',
    );
    await submit({ task: 'image.edit', references }, { request });
    expect(sent[0]).toMatchObject({ fields: { model: 'gpt-image-2', prompt: 'A CAT', n: '2' } });
    expect(sent[0]?.files.map(({ field }) => field)).toEqual(['image', 'mask']);
    await submit({ references }, { request: compileMapping('{ "prompt": input.prompt, "n": 2 }') });
    expect(sent[1]).toMatchObject({ path: '/images/generations', fields: { n: 2 }, files: [] });
    await expect(submit({}, { request: compileMapping('"text"') })).rejects.toMatchObject({ name: 'EngineError' });
  });

  it('reports why the provider rejected the request', async () => {
    await expect(submit({ input: { ...image, quality: 'max' } })).rejects.toMatchObject({
      message: "The provider rejected the request: Invalid value for 'quality'.",
      code: 'engine_failed',
    });
    server.injectFault((_request, response) => {
      const error = {
        message: 'You exceeded your current quota.',
        type: 'insufficient_quota',
        code: 'insufficient_quota',
      };
      response.writeHead(429).end(JSON.stringify({ error }));
    });
    await expect(submit({})).rejects.toMatchObject({
      name: 'EngineError',
      message: 'The provider account has no credit left. Ask the operator to top it up.',
    });
  });

  it('treats a 500 for an image as busy and for a video as a lost response', async () => {
    server.injectFault(respondWith(500, 'oops'));
    await expect(submit({})).rejects.toMatchObject({ name: 'UpstreamBusyError' });
    server.injectFault(respondWith(500, 'oops'));
    const submitted = submit({ task: 'video.create', input: video }, { model: 'sora-2' });
    await expect(submitted).rejects.toMatchObject({ name: 'ResponseLostError' });
  });

  it('submits a video with a start image', async () => {
    const references = [await reference('first_frame')];
    const input = { prompt: 'Waves', aspect_ratio: 'adaptive', duration_seconds: 8, resolution: '1080p' };
    const state = await submit({ task: 'video.create', input, references }, { model: 'sora-2-pro' });
    expect(state).toMatchObject({ status: 'accepted', handle: { video_id: server.upstream.jobs[0]?.id } });
    expect(sent[0]).toMatchObject({
      path: '/videos',
      fields: { model: 'sora-2-pro', prompt: 'Waves', seconds: '8', size: '1792x1024' },
      files: [{ field: 'input_reference', filename: 'first_frame.png' }],
    });
  });

  it('submits a video edit', async () => {
    const references = [await reference('video', 'video')];
    await submit({ task: 'video.edit', input: { prompt: 'Night' }, references }, { model: 'sora-2' });
    expect(sent[0]).toMatchObject({ path: '/videos/edits', fields: { prompt: 'Night' }, files: [{ field: 'video' }] });
  });

  it.each<[string, Partial<UpstreamEngineJob>]>([
    ['two images for a video', { task: 'video.create', input: video }],
    [
      'an unsupported aspect ratio of a video',
      { task: 'video.create', input: { ...video, aspect_ratio: '1:1' }, references: [] },
    ],
    [
      'an unsupported resolution of a video',
      { task: 'video.create', input: { ...video, resolution: '4K' }, references: [] },
    ],
    ['an unsupported aspect ratio of an image', { input: { prompt: 'x', aspect_ratio: '1:8', resolution: '1K' } }],
    ['an unsupported task', { task: 'video.lipsync' }],
  ])('rejects %s with a message before anything is sent', async (_name, job) => {
    const references = [await reference('reference_images.0'), await reference('reference_images.1')];
    await expect(submit({ references, ...job })).rejects.toMatchObject({
      name: 'EngineError',
      message: expect.stringMatching(/^This provider .*\.$/),
    });
    expect(sent).toEqual([]);
  });
});
