import { beforeEach, describe, expect, it } from 'vitest';
import type { MediaFileInfo } from '#server/platform/media/probe-file.ts';
import { createFakeModelArkHandler, createFakeModelArkState } from './testing/fake-modelark-server.ts';
import { respondWith } from '#server/models/engine/testing/fake-upstream-server.ts';
import { useProviderPreset } from '#server/models/engine/testing/provider-preset-fixture.ts';
import type { PresetModel } from '#server/models/providers/preset.ts';
import { modelArkPreset } from './modelark-preset.ts';

const account = createFakeModelArkState();
const bench = useProviderPreset({
  preset: modelArkPreset,
  createHandler: (upstream) => createFakeModelArkHandler(upstream, account),
  requests: (from) => account.created.slice(from),
});
const { createAdapter, completeJobs, finish } = bench;
beforeEach(() => {
  account.overrides = {};
});

const SEEDANCE_RESTRICTIONS = [
  'An end frame needs a start frame.',
  'Seedance does not combine frames with references.',
];
const RESTRICTIONS: Record<string, string[]> = {
  'imgmodel-d-5-pro': [],
  'vidmodel-c-2': SEEDANCE_RESTRICTIONS,
  'vidmodel-c-2-fast': SEEDANCE_RESTRICTIONS,
  'vidmodel-c-2-mini': SEEDANCE_RESTRICTIONS,
  'vidmodel-c-2.5': [
    ...SEEDANCE_RESTRICTIONS,
    'With a start frame, Seedance 2.5 takes the frame’s shape: choose Adaptive.',
  ],
};
const AUDIO_ALONE = 'Reference audio needs a reference image or a reference video.';

describe.each(modelArkPreset.models.map((entry) => [`${entry.task} on ${entry.model}`, entry] as const))(
  '%s',
  (_name, presetModel) => {
    it('accepts or restricts every option of the form', async () => {
      const { task, model } = presetModel;
      const report = await bench.walk(presetModel);
      expect(report.failures).toEqual([]);
      expect(report.succeeded).toBeGreaterThan(10);
      expect(report.restricted).toEqual(
        task === 'video.create'
          ? RESTRICTIONS[model]
          : task === 'image.edit'
            ? ['Seedream 5 Pro takes no mask here. Describe what to change.']
            : [],
      );
      const is20 = task === 'video.create' && model !== 'vidmodel-c-2.5';
      expect(report.rejected).toEqual(is20 ? [AUDIO_ALONE] : []);
    });
  },
);

async function submit(presetModel: PresetModel, input: Record<string, unknown>, media: Partial<MediaFileInfo> = {}) {
  const job = await bench.createJob(presetModel, input, () => media);
  return { job, state: await createAdapter(presetModel).submit(job) };
}

const clip = { prompt: 'a pear', aspect_ratio: '16:9', duration_seconds: 5, resolution: '720p', generate_audio: true };
const still = { prompt: 'a pear', aspect_ratio: '1:1', resolution: '2K', output_format: 'png' };
const video = { url: 'https://example.com/clip.mp4', role: null };

describe('cost', () => {
  it('of a clip is computed from the tokens of the task', async () => {
    const seedance = bench.findModel('video.create', 'vidmodel-c-2');
    expect(await finish(seedance, clip)).toMatchObject({ cost_micro_usd: 756_000n, cost_basis: 'computed' });
    const withVideo = { ...clip, reference_videos: [video] };
    expect(await finish(seedance, withVideo)).toMatchObject({ cost_micro_usd: 464_400n });
    const edit = { prompt: 'x', video, resolution: '1080p', generate_audio: false };
    expect(await finish(bench.findModel('video.edit', 'vidmodel-c-2.5'), edit)).toMatchObject({
      cost_micro_usd: 756_000n,
    });
  });

  it('of an image counts its size and the images of the input after the first', async () => {
    const seedream = bench.findModel('image.edit', 'imgmodel-d-5-pro');
    const images = [{ url: 'https://example.com/a.png' }, { url: 'https://example.com/b.png' }];
    expect(await finish(seedream, { ...still, images })).toMatchObject({ cost_micro_usd: 93_000n });
    expect(
      await finish(bench.findModel('image.create', 'imgmodel-d-5-pro'), { ...still, resolution: '1K' }),
    ).toMatchObject({
      cost_micro_usd: 45_000n,
    });
  });
});

describe('a file that ModelArk does not take is rejected before anything is sent', () => {
  const seedance = bench.findModel('video.create', 'vidmodel-c-2.5');
  it.each([
    ['image', { reference_images: [video] }, { mime_type: 'image/avif' }, /JPEG, PNG, WebP and GIF/],
    ['image of 31 MB', { reference_images: [video] }, { size_bytes: 31_000_000 }, /up to 30 MB/],
    ['list of 60 MB', { reference_images: [video, video] }, { size_bytes: 30_000_000 }, /47 MB in total/],
    ['sound', { reference_audio: [video] }, { mime_type: 'audio/ogg' }, /MP3 and WAV/],
    ['video', { reference_videos: [video] }, { mime_type: 'video/webm' }, /MP4 and MOV/],
    ['video of this machine', { reference_videos: [{ url: 'http://localhost:3000/media/a' }] }, {}, /public https/],
  ])('%s', async (_name, references, media, message) => {
    const sent = account.created.length;
    await expect(submit(seedance, { ...clip, ...references }, media)).rejects.toMatchObject({
      code: 'invalid_media',
      message: expect.stringMatching(message),
    });
    expect(account.created).toHaveLength(sent);
  });
});

describe('errors of ModelArk', () => {
  const seedance = bench.findModel('video.create', 'vidmodel-c-2');
  const fault = (status: number, code: string) =>
    respondWith(status, JSON.stringify({ error: { code, message: `The ${code} sentence. Request id: 02175` } }));

  it.each([
    [403, 'AccountOverdueError', 'model_unavailable', /no credit left/],
    [404, 'ModelNotOpen', 'model_unavailable', /not activated/],
    [404, 'InvalidEndpointOrModel.NotFound', 'model_unavailable', /not activated/],
    [400, 'InputImageSensitiveContentDetected.PrivacyInformation', 'content_refused', /sentence\.$/],
    [400, 'InvalidParameter', 'engine_failed', /^The provider rejected the request: The InvalidParameter sentence\.$/],
  ])('%i %s', async (status, error_code, code, message) => {
    bench.server.injectFault(fault(status, error_code));
    await expect(submit(seedance, clip)).rejects.toMatchObject({ code, message: expect.stringMatching(message) });
  });

  it('names why a task failed, expired or was canceled', async () => {
    const { job, state } = await submit(seedance, clip);
    if (state.status !== 'accepted') return expect.fail(state.status);
    const poll = (overrides: Record<string, unknown>) => {
      account.overrides = overrides;
      return createAdapter(seedance).poll(job, state.handle);
    };
    const error = { code: 'InternalServiceError', message: 'Out of order. Request id: 02175' };
    await expect(poll({ status: 'failed', error })).rejects.toMatchObject({
      message: 'The model failed: Out of order.',
      retryable: true,
    });
    await expect(poll({ status: 'failed', error: null })).rejects.toMatchObject({ code: 'engine_failed', cost: null });
    await expect(poll({ status: 'failed', error, usage: { total_tokens: 1000 } })).rejects.toMatchObject({
      cost: { cost_micro_usd: 7_000n, cost_basis: 'computed' },
    });
    await expect(poll({ status: 'expired' })).rejects.toMatchObject({ code: 'timeout', retryable: true });
    expect(await poll({ status: 'running' })).toMatchObject({ provider_status: { stage: 'Running' } });
    expect(await poll({ status: 'succeeded', content: null, usage: { total_tokens: 1000 } })).toMatchObject({
      status: 'unclear',
      cost_micro_usd: 7_000n,
    });
  });

  it('keeps the result of a task that completes before its cancellation', async () => {
    const { job, state } = await submit(seedance, clip);
    if (state.status !== 'accepted') return expect.fail(state.status);
    completeJobs();
    await createAdapter(seedance).cancel(state.handle, job.signal);
    expect(await createAdapter(seedance).poll(job, state.handle)).toMatchObject({ status: 'succeeded' });
  });

  it('reports the reason of an image that failed', async () => {
    const error = { code: 'OutputImageSensitiveContentDetected', message: 'Not this.' };
    bench.server.injectFault(respondWith(200, JSON.stringify({ data: [{ error }] })));
    await expect(submit(bench.findModel('image.create', 'imgmodel-d-5-pro'), still)).rejects.toMatchObject({
      code: 'content_refused',
    });
  });
});

it('tests a key without creating a task', async () => {
  const signal = new AbortController().signal;
  expect(await modelArkPreset.check(bench.connection(), signal)).toMatch(/^The key works\. It sees 0 video tasks/);
  await expect(modelArkPreset.check(bench.connection('ark-wrong'), signal)).rejects.toThrow('rejected the API key');
  expect(bench.server.upstream.jobs).toEqual([]);
});
