import sharp from 'sharp';
import { beforeAll, describe, expect, it } from 'vitest';
import { createFakeOpenAiHandler, type FakeOpenAiRequest } from './testing/fake-openai-server.ts';
import { respondWith } from '#server/models/engine/testing/fake-upstream-server.ts';
import { usePresetFixture } from '#server/models/engine/testing/preset-fixture.ts';
import { walkPreset } from '#server/models/engine/testing/preset-walk.ts';
import type { UpstreamAdapter } from '#server/models/engine/upstream.ts';
import { openAiCompatiblePreset } from './openai-compatible.ts';

const sent: FakeOpenAiRequest[] = [];
const formats: unknown[] = [];
const fixture = usePresetFixture(openAiCompatiblePreset, 'local-0123456789', (upstream) =>
  createFakeOpenAiHandler(upstream, sent),
);
beforeAll(async () => {
  const image = sharp({ create: { width: 8, height: 8, channels: 3, background: '#284' } });
  fixture.server.upstream.outputs = [await image.png().toBuffer()];
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

describe.each(openAiCompatiblePreset.models.map((presetModel) => ({ ...presetModel, presetModel })))(
  '$task on $model at a compatible server',
  ({ presetModel, task, model }) => {
    it('sends every option to the server or rejects it with a sentence', async () => {
      sent.length = 0;
      formats.length = 0;
      const report = await walkPreset({
        presetModel,
        adapter: withFormat(fixture.createAdapter({ task, model, is_direct: true })),
        directory: fixture.directory,
        completeJobs: () => undefined,
        requests: (from) =>
          sent
            .slice(from)
            .map(({ path, fields, files }, index) => [
              path,
              fields,
              files.map(({ filename }) => filename),
              formats[from + index],
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
  it('names the models that the server lists', async () => {
    expect(await fixture.check()).toBe('The server responded. Models: local-painter.');
    fixture.server.injectFault(respondWith(200, '{"data":[]}'));
    expect(await fixture.check()).toBe('The server responded, and lists no models.');
    fixture.server.injectFault(respondWith(200, '{"models":[]}'));
    await expect(fixture.check()).rejects.toMatchObject({ name: 'ResponseLostError' });
  });
});
