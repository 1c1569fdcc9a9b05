import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type CompatibleKind, normalizeCompatible } from '#contract/added-models/openai-compatible.ts';
import { createAddedJob, readAddedModel } from '#server/models/engine/testing/added-model-fixture.ts';
import { type FakeUpstreamServer, startFakeUpstream } from '#server/models/engine/testing/fake-upstream-server.ts';
import { describeUpstreamConformance } from '#server/models/engine/testing/upstream-conformance.ts';
import { createFetcher } from '#server/platform/net/fetcher.ts';
import { sharedMediaTools } from '#server/platform/media/testing/shared-media-tools.ts';
import { probeFile } from '#server/platform/media/probe-file.ts';
import type { PresetConnection } from '#server/models/providers/preset-connection.ts';
import { createUpstreamHttp } from '#server/models/engine/upstream-http.ts';
import { createCompatibleAdapter } from './compatible-source.ts';
import { mapOpenAiError } from './openai-errors.ts';
import { openAiCompatiblePreset } from './openai-compatible.ts';
import { createFakeOpenAiHandler, type FakeOpenAiRequest } from './testing/fake-openai-server.ts';

const source = openAiCompatiblePreset.added ?? expect.fail('The preset adds no models.');

const INPUTS = {
  image: { prompt: 'A cat', n: 1 },
  video: { prompt: 'A cat', seconds: '4', size: '1280x720' },
  speech: { input: 'Hello', voice: 'alloy', speed: 1, response_format: 'mp3' },
} as const;
for (const kind of ['image', 'video', 'speech'] as const) {
  const normalized = await normalizeCompatible(kind);
  describeUpstreamConformance(`an added ${kind} model of a compatible server`, {
    createHandler: (upstream) => createFakeOpenAiHandler(upstream, [], { speaks_outputs: true }),
    createAdapter: ({ max_output_bytes, ...connection }) =>
      createCompatibleAdapter(
        createUpstreamHttp({ ...connection, mapError: mapOpenAiError }),
        { provider_model: 'local-model', provider_data: { kind }, normalized },
        max_output_bytes,
      ),
    job: { task: 'other.run', model: 'added-test', input: INPUTS[kind] },
    immediate: kind !== 'video',
    returns_urls: kind !== 'speech',
  });
}

describe('models that are added of a compatible server', () => {
  const KEY = 'sk-0123456789';
  const models = ['local-painter', 'local-speaker', 'Local-Camera', 'other', 'bad name'];
  let server: FakeUpstreamServer;
  let sent: FakeOpenAiRequest[];
  let workDir: string;
  beforeEach(async () => {
    sent = [];
    server = await startFakeUpstream(KEY, (upstream) => createFakeOpenAiHandler(upstream, sent, { models }));
    server.upstream.outputs = [Buffer.from('one'), Buffer.from('two')];
    workDir = await mkdtemp(join(tmpdir(), 'compatible-source-'));
  });
  afterEach(async () => {
    await server.close();
    await rm(workDir, { recursive: true });
  });

  const connection = (): PresetConnection => ({
    api_key: KEY,
    address: server.base_url,
    openService: (address) => createFetcher().createService(address),
    deadlineMs: 60_000,
  });
  const add = (provider_model: string, kind: CompatibleKind | undefined) =>
    readAddedModel(source, connection(), { provider_model, kind }, 'openai-compatible');
  async function submit(provider_model: string, kind: CompatibleKind, input: Record<string, unknown>) {
    const { version } = await add(provider_model, kind);
    const adapter = source.createAdapter(connection(), version);
    const job = await createAddedJob(version, input, workDir);
    return { adapter, job, state: await adapter.submit(job) };
  }

  it('takes the name of a model, and finds it by its words', async () => {
    expect(source.parseAddress(' org/model:8b ')).toEqual({ provider_model: 'org/model:8b', provider_version: null });
    for (const text of ['', 'two words', 'https://example.com/model', 'a'.repeat(201)])
      expect(source.parseAddress(text)).toBeNull();
    const search = async (query: string) =>
      (await source.search?.(connection(), query, new AbortController().signal))?.map(
        ({ provider_model }) => provider_model,
      );
    expect(await search('')).toEqual(['local-painter', 'local-speaker', 'Local-Camera', 'other']);
    expect(await search('LOCAL cam')).toEqual(['Local-Camera']);
  });

  it('rejects a model that is not listed, and one whose kind is not chosen', async () => {
    await expect(add('local-singer', 'speech')).rejects.toMatchObject({
      code: 'model_unavailable',
      message: 'The server lists no model “local-singer”.',
    });
    await expect(add('local-painter', undefined)).rejects.toMatchObject({
      name: 'SchemaError',
      message: 'Choose what the model makes: images, videos or speech.',
    });
  });

  it('creates images, and edits those that are given', async () => {
    const { state } = await submit('local-painter', 'image', { prompt: 'A cat', size: '512x512', n: 2, image: [] });
    expect(state).toMatchObject({ status: 'succeeded', result: { files: [expect.any(String), expect.any(String)] } });
    const image = [{ url: 'https://example.com/a.png' }, { url: 'https://example.com/b.png' }];
    await submit('local-painter', 'image', { prompt: 'A cat', image });
    expect(sent).toMatchObject([
      { path: '/images/generations', fields: { model: 'local-painter', prompt: 'A cat', size: '512x512', n: 2 } },
      {
        path: '/images/edits',
        fields: { model: 'local-painter', prompt: 'A cat', n: '1' },
        files: [
          { field: 'image[]', bytes: Buffer.from('the file at image.0') },
          { field: 'image[]', bytes: Buffer.from('the file at image.1') },
        ],
      },
    ]);
  });

  it('creates a video from a first frame', async () => {
    const input = { prompt: 'A cat', size: '1280x720', input_reference: { url: 'https://example.com/a.png' } };
    const { adapter, job, state } = await submit('Local-Camera', 'video', input);
    if (state.status !== 'accepted') return expect.fail(state.status);
    for (const each of server.upstream.jobs) each.state = 'succeeded';
    expect(await adapter.poll(job, state.handle)).toMatchObject({ status: 'succeeded' });
    expect(sent).toMatchObject([
      {
        path: '/videos',
        fields: { model: 'Local-Camera', seconds: '4' },
        files: [{ field: 'input_reference', bytes: Buffer.from('the file at input_reference') }],
      },
    ]);
  });

  it.each(['mp3', 'wav', 'flac', 'opus', 'aac'])('saves speech in %s', async (response_format) => {
    const input = { input: 'Hello, this is a test of speech.', voice: 'af_heart', speed: 1.25, response_format };
    const { state } = await submit('local-speaker', 'speech', input);
    if (state.status !== 'succeeded') return expect.fail(state.status);
    const [file = ''] = state.result.files;
    expect(file).toMatch(new RegExp(`\\.${response_format}$`));
    const media = await probeFile(await sharedMediaTools(), file);
    expect(media.kind).toBe('audio');
    expect(media.duration_seconds).toBeCloseTo(1.7, 0);
    expect(sent[0]).toMatchObject({ path: '/audio/speech', fields: { model: 'local-speaker', ...input } });
  });

  it('leaves out instructions that are empty', async () => {
    const { state } = await submit('local-speaker', 'speech', { input: 'Hello' });
    expect(state).toMatchObject({ status: 'succeeded', cost_micro_usd: null });
    expect(Object.keys(sent[0]?.fields ?? {}).sort()).toEqual(['input', 'model', 'response_format', 'speed', 'voice']);
    if (state.status === 'succeeded') expect((await readFile(state.result.files[0] ?? '')).length).toBeGreaterThan(100);
  });
});
