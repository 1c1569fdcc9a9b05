import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createFetcher } from '#server/net/fetcher.ts';
import { createFakeOpenAiHandler, type FakeOpenAiRequest } from '../testing/fake-openai-server.ts';
import { type FakeUpstreamServer, respondWith, startFakeUpstream } from '../testing/fake-upstream-server.ts';
import { walkPreset } from '../testing/preset-walk.ts';
import type { UpstreamAdapter } from '../upstream.ts';
import { openAiCompatiblePreset } from './openai-compatible.ts';
import type { PresetConnection } from './preset.ts';

const KEY = 'local-0123456789';
const sent: FakeOpenAiRequest[] = [];
const formats: unknown[] = [];
let server: FakeUpstreamServer;
let directory: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'compatible-'));
  server = await startFakeUpstream(KEY, (upstream) => createFakeOpenAiHandler(upstream, sent));
  const image = sharp({ create: { width: 8, height: 8, channels: 3, background: '#284' } });
  server.upstream.outputs = [await image.png().toBuffer()];
});
afterAll(async () => {
  await server.close();
  await rm(directory, { recursive: true });
});

const connection = (): PresetConnection => ({
  api_key: KEY,
  address: server.base_url,
  openService: (base_url) => createFetcher().createService(base_url),
  deadline_ms: 60_000,
});

/** The format is made here, so the walk sees it beside the requests. */
const withFormat = (adapter: UpstreamAdapter): UpstreamAdapter => ({
  ...adapter,
  async submit(job) {
    const state = await adapter.submit(job);
    if (state.status !== 'succeeded') return state;
    const { format } = await sharp(state.result.files[0]).metadata();
    expect(format).toBe(job.input['output_format'] ?? 'png');
    formats.push(format);
    return state;
  },
});

describe.each(openAiCompatiblePreset.models.map((preset_model) => ({ ...preset_model, preset_model })))(
  '$task on $model at a compatible server',
  ({ preset_model, task, model }) => {
    it('sends every option to the server or rejects it with a sentence', async () => {
      const choice = { task, model, provider_model: 'local-painter', markup_percent: null };
      sent.length = 0;
      formats.length = 0;
      const report = await walkPreset({
        preset_model,
        adapter: withFormat(preset_model.createAdapter(connection(), choice)),
        directory,
        completeJobs: () => undefined,
        requests: () =>
          sent.map(({ path, fields, files }, index) => [
            path,
            fields,
            files.map(({ filename }) => filename),
            formats[index],
          ]),
      });
      expect(report).toMatchObject({ failures: [], rejected: [] });
      expect(report.succeeded).toBeGreaterThan(5);
      const sizes = new Set(sent.map(({ fields }) => fields['size']));
      expect([...sizes].sort()).toEqual([
        '1024x1024',
        '1024x1536',
        '1536x1024',
        ...(model === 'imgmodel-d-5-pro' ? [] : [undefined]),
      ]);
    });
  },
);

describe('the test of a compatible server', () => {
  const check = () => openAiCompatiblePreset.check(connection(), new AbortController().signal);

  it('names the models that the server lists', async () => {
    expect(await check()).toBe('The server responded. Models: local-painter.');
    server.injectFault(respondWith(200, '{"data":[]}'));
    expect(await check()).toBe('The server responded, and lists no models.');
    server.injectFault(respondWith(200, '{"models":[]}'));
    await expect(check()).rejects.toMatchObject({ name: 'ResponseLostError' });
  });
});
