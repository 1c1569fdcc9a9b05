import sharp from 'sharp';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ModelId } from '#contract/ids.ts';
import { estimateCost } from '#server/models/connections/provider-prices.ts';
import { createFakeOpenAiHandler, type FakeOpenAiRequest } from './testing/fake-openai-server.ts';
import { neverRespond, respondWith, truncateResponse } from '#server/models/engine/testing/fake-upstream-server.ts';
import { type SubmitOptions, usePresetFixture } from '#server/models/engine/testing/preset-fixture.ts';
import { listInputs, walkPreset } from '#server/models/engine/testing/preset-walk.ts';
import { findPresetModel } from '#server/models/providers/presets.ts';
import { openAiPreset } from './openai-preset.ts';

const sent: FakeOpenAiRequest[] = [];
const fixture = usePresetFixture(openAiPreset, 'sk-proj-0123456789', (upstream) =>
  createFakeOpenAiHandler(upstream, sent),
);
beforeAll(async () => {
  const image = sharp({ create: { width: 8, height: 8, channels: 3, background: '#284' } });
  fixture.server.upstream.outputs = [await image.png().toBuffer()];
});
beforeEach(() => {
  sent.length = 0;
});

const submit = (input: Record<string, unknown>, options: Partial<SubmitOptions> = {}) =>
  fixture.submit(input, { model: 'imgmodel-a-2.5-flare', ...options });
const findModel = (model: ModelId) => {
  const found = findPresetModel(openAiPreset, 'image.create', model);
  if (!found) throw new Error(`The preset has no ${model}.`);
  return found;
};
const square = { quality: 'high', size: '1024x1024' };

describe.each(openAiPreset.models.map((presetModel) => ({ ...presetModel, presetModel })))(
  '$task on $model at OpenAI',
  ({ presetModel, model, task }) => {
    it('sends every option to the API or rejects it with a sentence', async () => {
      const report = await walkPreset({
        presetModel,
        adapter: fixture.createAdapter({ task, model, is_direct: true }),
        directory: fixture.directory,
        completeJobs: () => undefined,
        requests: (from) =>
          sent
            .slice(from)
            .map(({ path, fields, files }) => ({ path, fields, files: files.map(({ filename }) => filename) })),
      });
      expect(report).toMatchObject({ failures: [], rejected: [] });
      expect(report.restricted).toEqual(
        model === 'imgmodel-a-2' ? ['GPT Image 2 does not make transparent backgrounds at OpenAI.'] : [],
      );
      expect(report.succeeded).toBeGreaterThan(30);
    });
  },
);

describe('the OpenAI preset', () => {
  it('sends no size above the pixels that OpenAI allows', async () => {
    for (const aspect_ratio of ['4:3', '3:4'])
      await submit({ aspect_ratio, resolution: '4K' }, { model: 'imgmodel-a-2' });
    expect(sent.map(({ fields }) => [fields['size'], fields['quality']])).toEqual([
      ['3312x2496', 'medium'],
      ['2496x3312', 'medium'],
    ]);
  });

  it('computes the cost from the usage of the response', async () => {
    const state = await submit({ ...square, reference_images: [{ url: 'https://x.test/a.png' }] });
    // 2 text tokens at $5, 1,000 image tokens at $8 and 1,756 output tokens at $30 per million.
    expect(state).toMatchObject({
      status: 'succeeded',
      cost_micro_usd: 10n + 8_000n + 52_680n,
      cost_basis: 'computed',
    });
  });

  it('keeps the cost of a response without a usable image', async () => {
    const usage = {
      input_tokens: 2,
      input_tokens_details: { text_tokens: 2, image_tokens: 0 },
      output_tokens: 100,
      total_tokens: 102,
    };
    const cost_micro_usd = 10n + 3_000n;
    const respond = (data: object[]) =>
      fixture.server.injectFault(respondWith(200, JSON.stringify({ created: 1, data, usage })));
    respond([]);
    expect(await submit(square)).toMatchObject({ status: 'unclear', cost_micro_usd, cost_basis: 'computed' });
    respond([{ url: 'http://127.0.0.1:1/private' }]);
    await expect(submit(square)).rejects.toMatchObject({ name: 'EngineError', cost: { cost_micro_usd } });
  });

  it('makes images of GPT Image 2 at the price that it lists', async () => {
    const state = await submit({ aspect_ratio: '1:1', resolution: '1K' }, { model: 'imgmodel-a-2' });
    // 2 text tokens at $5 and 1,756 output tokens at $30 per million, for a list price of $0.053.
    expect(state).toMatchObject({ cost_micro_usd: 10n + 52_680n });
  });

  it('estimates at least what the output tokens of each quality cost', () => {
    const tokens = { low: 196, medium: 439, high: 1756, xhigh: 3122, max: 7024 };
    for (const [quality, count] of Object.entries(tokens)) {
      const amount = Number(estimateCost(findModel('imgmodel-a-2.5-flare'), { ...square, quality }).amount_micro_usd);
      expect(amount).toBeGreaterThanOrEqual(count * 30);
      expect(amount).toBeLessThan(count * 30 * 1.03);
    }
  });

  it('prices every input', () => {
    for (const presetModel of openAiPreset.models)
      for (const { input } of listInputs(presetModel.task, presetModel.model))
        expect(estimateCost(presetModel, input).amount_micro_usd).toBeGreaterThan(5_000n);
  });

  it.each([
    ['an unsupported format', { mime_type: 'image/gif' }, 'OpenAI takes references as PNG, JPEG or WebP only.'],
    ['a large file', { size_bytes: 50_000_000 }, 'OpenAI takes references below 50 MB only.'],
  ])('rejects %s before anything is sent', async (_name, media, message) => {
    const input = { ...square, reference_images: [{ url: 'https://x.test/a.png' }] };
    await expect(submit(input, { media })).rejects.toMatchObject({ code: 'invalid_media', message });
    expect(sent).toEqual([]);
  });

  const errorBody = (code: string, message: string, type = code) =>
    JSON.stringify({ error: { message, type, param: null, code } });
  it.each([
    [
      'no credit',
      respondWith(429, errorBody('credit_balance_exhausted', 'Your balance is empty.')),
      { code: 'model_unavailable', message: expect.stringMatching(/no credit left/) },
    ],
    [
      'no credit under an unknown code',
      respondWith(429, errorBody('plan_limit', 'You exceeded your current quota.', 'insufficient_quota')),
      { code: 'model_unavailable', message: expect.stringMatching(/no credit left/) },
    ],
    [
      'a rate limit',
      respondWith(429, errorBody('rate_limit_exceeded', 'Slow down.'), { 'retry-after': '3' }),
      { name: 'UpstreamBusyError', retry_after_ms: 3_000 },
    ],
    [
      'an organization that is not verified',
      respondWith(403, errorBody('', 'Your organization must be verified to use the model')),
      {
        code: 'model_unavailable',
        message: expect.stringMatching(/: Your organization must be verified to use the model\.$/),
      },
    ],
    [
      'a model that is gone',
      respondWith(404, errorBody('model_not_found', 'The model does not exist.')),
      { code: 'model_unavailable' },
    ],
    ['HTML', respondWith(200, '<html>'), { name: 'ResponseLostError' }],
    ['a 500', respondWith(500, 'oops'), { name: 'UpstreamBusyError' }],
    ['a response that breaks off', truncateResponse, { name: 'ResponseLostError' }],
  ])('reports %s', async (_name, fault, error) => {
    fixture.server.injectFault(fault);
    await expect(submit(square)).rejects.toMatchObject(error);
  });

  it('reports refused content and a wrong key', async () => {
    await expect(submit(square, { api_key: 'sk-wrong-0123456789' })).rejects.toMatchObject({
      code: 'model_unavailable',
    });
    fixture.server.upstream.refuses_content = true;
    await expect(submit(square)).rejects.toMatchObject({ code: 'content_refused' });
  });

  it('stops waiting when the job is aborted', async () => {
    const controller = new AbortController();
    const reason = new Error('canceled');
    fixture.server.injectFault(neverRespond(() => controller.abort(reason)));
    await expect(submit(square, { signal: controller.signal })).rejects.toBe(reason);
  });
});

describe('the test of an OpenAI key', () => {
  it('needs no model in the list, and warns of a shutdown', async () => {
    expect(await fixture.check()).toBe('The key works.');
    fixture.server.injectFault(
      respondWith(200, '{"data":[{"id":"gpt-image-2","shutdown_date":"2027-04-01"},{"id":"x"}]}'),
    );
    expect(await fixture.check()).toBe('The key works. OpenAI shuts down GPT Image 2 on 2027-04-01.');
  });

  it('reports a wrong key and a server that is not OpenAI', async () => {
    await expect(fixture.check('sk-wrong-0123456789')).rejects.toMatchObject({ code: 'model_unavailable' });
    fixture.server.injectFault(respondWith(200, '{}'));
    await expect(fixture.check()).rejects.toMatchObject({ name: 'ResponseLostError' });
  });
});
