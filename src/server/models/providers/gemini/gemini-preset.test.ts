import sharp from 'sharp';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { estimateCost } from '#server/models/connections/provider-prices.ts';
import {
  createFakeGeminiHandler,
  createFakeGeminiOptions,
  type FakeGeminiRequest,
} from './testing/fake-gemini-server.ts';
import { neverRespond, respondWith, truncateResponse } from '#server/models/engine/testing/fake-upstream-server.ts';
import { usePresetFixture } from '#server/models/engine/testing/preset-fixture.ts';
import { listInputs, walkPreset } from '#server/models/engine/testing/preset-walk.ts';
import type { UpstreamAdapter } from '#server/models/engine/upstream.ts';
import { geminiPreset } from './gemini-preset.ts';

const sent: FakeGeminiRequest[] = [];
const formats: unknown[] = [];
const options = createFakeGeminiOptions();
const fixture = usePresetFixture(geminiPreset, 'AIza-0123456789', (upstream) =>
  createFakeGeminiHandler(upstream, sent, options),
);
const { submit } = fixture;

beforeAll(async () => {
  const image = sharp({ create: { width: 8, height: 8, channels: 3, background: '#284' } });
  fixture.server.upstream.outputs = [await image.png().toBuffer()];
});
beforeEach(() => {
  sent.length = 0;
  formats.length = 0;
  fixture.server.upstream.jobs.length = 0;
  Object.assign(options, createFakeGeminiOptions());
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

const RESTRICTED: Partial<Record<string, string[]>> = {
  'imgmodel-b-2-lite': ['Nano Banana 2 Lite does not make the shapes 1:4, 4:1, 1:8 and 8:1 at Google.'],
  'omni-video': ['Gemini Omni 1.2 takes at most 6 reference images.', 'Gemini Omni does not take a seed.'],
  'omni-video-flash': ['Gemini Omni does not take a seed.'],
};

describe.each(geminiPreset.models.map((presetModel) => ({ ...presetModel, presetModel })))(
  '$task on $model at Google',
  ({ presetModel, model, task }) => {
    it('sends every option to the API or rejects it with a sentence', async () => {
      const report = await walkPreset({
        presetModel,
        adapter: withFormat(fixture.createAdapter({ task, model, is_direct: true })),
        directory: fixture.directory,
        completeJobs: fixture.completeJobs,
        requests: (from) => sent.slice(from).map((request, index) => [request, formats[from + index]]),
      });
      const noMask = `${presetModel.display.name} takes no mask here. Describe what to change.`;
      const restricted = [...(RESTRICTED[model] ?? []), ...(task === 'image.edit' ? [noMask] : [])];
      expect(report).toMatchObject({ failures: [], rejected: [], restricted });
      expect(report.succeeded).toBeGreaterThan(8);
    });

    it('prices every input', () => {
      for (const { input } of listInputs(task, model))
        expect(estimateCost(presetModel, input).amount_micro_usd).toBeGreaterThan(30_000n);
    });
  },
);

const pro = { model: 'imgmodel-b-pro' } as const;
const picture = { aspect_ratio: '16:9', resolution: '2K', output_format: 'png' };
const omni = { model: 'omni-video', task: 'video.create' } as const;
const clip = { aspect_ratio: '16:9', duration_seconds: 6, seed: null };
const reference = (name: string, role: string | null = null) => ({ url: `https://x.test/${name}`, role });

async function runOmni(input: object = clip) {
  const adapter = fixture.createAdapter(omni);
  const job = await fixture.createJob({ prompt: 'A cat', ...input }, omni);
  const state = await adapter.submit(job);
  if (state.status !== 'accepted') return expect.fail(state.status);
  fixture.completeJobs();
  return { handle: state.handle, poll: () => adapter.poll(job, state.handle) };
}

describe('an image at Google', () => {
  it('costs what its tokens cost', async () => {
    // 100 tokens in at $2, 1,120 of the image at $120, 10 of text and 200 of thoughts at $12 per million.
    const cost_micro_usd = 200n + 134_400n + 2_520n;
    expect(await submit(picture, pro)).toMatchObject({ status: 'succeeded', cost_micro_usd, cost_basis: 'computed' });
  });

  const candidate = (finishReason: string, text?: string) => ({
    candidates: [{ content: { parts: text ? [{ text }] : [] }, finishReason }],
  });
  it.each([
    ['a filter', candidate('IMAGE_SAFETY'), 'content_refused', /content rules/],
    ['a filter of the prompt', { promptFeedback: { blockReason: 'SAFETY' } }, 'content_refused', /content rules/],
    ['a text', candidate('STOP', 'Which cat?'), 'engine_failed', /answered with text only: Which cat\?$/],
    ['nothing', candidate('NO_IMAGE'), 'engine_failed', /made nothing for this prompt/],
  ])('that is %s instead is an error with the cost of its tokens', async (_name, content, code, message) => {
    const usageMetadata = { promptTokenCount: 100, candidatesTokenCount: 10, candidatesTokensDetails: [] };
    options.content = { ...content, usageMetadata };
    await expect(submit(picture, pro)).rejects.toMatchObject({
      code,
      message: expect.stringMatching(message),
      cost: { cost_micro_usd: 200n + 120n, cost_basis: 'computed' },
    });
  });

  it.each([
    ['an unsupported format', { mime_type: 'image/gif' }, 'Google takes images as PNG, JPEG or WebP only.'],
    ['a large file', { size_bytes: 70_000_001 }, 'Google takes references of at most 70 MB together.'],
  ])('rejects %s before anything is sent', async (_name, media, message) => {
    const input = { ...picture, reference_images: [reference('a.png')] };
    await expect(submit(input, { ...pro, media })).rejects.toMatchObject({ code: 'invalid_media', message });
    expect(sent).toEqual([]);
  });

  it('stops waiting when the job is aborted', async () => {
    const controller = new AbortController();
    const reason = new Error('canceled');
    fixture.server.injectFault(neverRespond(() => controller.abort(reason)));
    await expect(submit(picture, { ...pro, signal: controller.signal })).rejects.toBe(reason);
  });
});

describe('a clip at Google', () => {
  it('declares references and their roles in the prompt', async () => {
    await submit(
      {
        ...clip,
        reference_images: [reference('a.png', 'style'), reference('b.png')],
        reference_video: reference('c.mp4', 'the way she walks'),
      },
      omni,
    );
    const input = sent[0]?.body['input'] as { type: string; text?: string }[];
    expect(input.map(({ type }) => type)).toEqual(['image', 'image', 'video', 'text']);
    expect(input.at(-1)?.text).toMatch(
      /^\[# References <IMAGE_REF_0>@Image1 <IMAGE_REF_1>@Image2 <VIDEO_REF_0>@Video1\] A cat Use Image1 as a reference for: style\. Use Video1 as a reference for: the way she walks\./,
    );
  });

  it('rejects a reference video of more than 3 seconds before anything is sent', async () => {
    const input = { ...clip, reference_video: reference('c.mp4') };
    await expect(submit(input, { ...omni, media: { duration_seconds: 4 } })).rejects.toMatchObject({
      code: 'invalid_media',
      message: 'Gemini Omni takes reference videos of at most 3 seconds. Trim it first.',
    });
    expect(sent).toEqual([]);
  });

  it('waits for the file, and costs what its tokens cost', async () => {
    const { poll } = await runOmni();
    options.processing_answers = 1;
    expect(await poll()).toMatchObject({
      status: 'accepted',
      provider_status: { queue_position: null, stage: 'Preparing the file' },
    });
    // 2,000 tokens in at $1.50, 23,168 of video at $12 and 500 of thoughts at $9 per million.
    const cost_micro_usd = 3_000n + 278_016n + 4_500n;
    expect(await poll()).toMatchObject({ status: 'succeeded', cost_micro_usd, cost_basis: 'computed' });
  });

  it('keeps the cost of a video that is gone or missing', async () => {
    const { poll } = await runOmni();
    options.interaction = { steps: [] };
    expect(await poll()).toMatchObject({ status: 'unclear', cost_micro_usd: 285_516n });
    const uri = 'https://generativelanguage.googleapis.com/v1beta/files/gone';
    options.interaction = { steps: [{ type: 'model_output', content: [{ type: 'video', uri }] }] };
    expect(await poll()).toMatchObject({ status: 'unclear', cost_micro_usd: 285_516n });
  });

  it('accepts a video inside the response', async () => {
    const { poll } = await runOmni();
    const data = Buffer.from('video').toString('base64');
    options.interaction = { steps: [{ type: 'model_output', content: [{ type: 'video', data }] }], usage: undefined };
    expect(await poll()).toMatchObject({ status: 'succeeded', cost_micro_usd: null });
  });

  it.each([
    ['failed', { code: 'internal', message: 'Out of frames' }, 'engine_failed', /create the video: Out of frames\.$/],
    ['failed', { code: 'safety', message: 'Blocked' }, 'content_refused', /content rules/],
    ['budget_exceeded', undefined, 'engine_failed', /could not create the video\.$/],
  ])('that is %s with %s is an error', async (status, error, code, message) => {
    const { poll } = await runOmni();
    options.interaction = { status, errors: error ? [error] : [] };
    const cost = { cost_micro_usd: 285_516n, cost_basis: 'computed' };
    await expect(poll()).rejects.toMatchObject({ code, message: expect.stringMatching(message), cost });
  });

  it('reports a refusal of the prompt', async () => {
    const message = 'The prompt was blocked by the safety filters.';
    fixture.server.injectFault(respondWith(400, JSON.stringify({ error: { code: 'invalid_request', message } })));
    await expect(submit(clip, omni)).rejects.toMatchObject({ code: 'content_refused' });
  });
});

describe('an error of Google', () => {
  const body = (status: string, message: string, details: object[] = []) =>
    JSON.stringify([{ error: { code: 400, status, message, details } }]);
  const retry = [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '34.5s' }];
  it.each([
    [
      'no credit',
      respondWith(429, body('RESOURCE_EXHAUSTED', 'Quota exceeded for metric: x, limit: 0')),
      { code: 'model_unavailable' },
    ],
    ['a rate limit', respondWith(429, body('RESOURCE_EXHAUSTED', 'Quota exceeded', retry)), { retry_after_ms: 34_500 }],
    [
      'an unsupported region',
      respondWith(400, body('FAILED_PRECONDITION', 'User location is not supported for the API use.')),
      {
        code: 'model_unavailable',
        message: expect.stringMatching(/account: User location is not supported for the API use\.$/),
      },
    ],
    [
      'a model that is gone',
      respondWith(404, body('NOT_FOUND', 'models/x is not found')),
      { code: 'model_unavailable' },
    ],
    ['HTML', respondWith(200, '<html>'), { name: 'ResponseLostError' }],
    ['a 500', respondWith(500, 'oops'), { name: 'UpstreamBusyError' }],
    ['a response that breaks off', truncateResponse, { name: 'ResponseLostError' }],
  ])('for %s is understood', async (_name, fault, error) => {
    fixture.server.injectFault(fault);
    await expect(submit(picture, pro)).rejects.toMatchObject(error);
  });
});

describe('the test of a Gemini key', () => {
  it('says that images need billing', async () => {
    expect(await fixture.check()).toMatch(/^The key works\. Images and videos also need billing/);
    await expect(fixture.check('AIza-wrong-0123456789')).rejects.toMatchObject({
      message: 'The provider rejected the API key. Ask the operator to check it.',
    });
    fixture.server.injectFault(respondWith(200, '{"data":[]}'));
    await expect(fixture.check()).rejects.toMatchObject({ name: 'ResponseLostError' });
  });
});
