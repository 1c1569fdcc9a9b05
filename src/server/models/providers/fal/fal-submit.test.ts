import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import type { MediaFileInfo } from '#server/platform/media/probe-file.ts';
import { createFetcher } from '#server/platform/net/fetcher.ts';
import { neverRespond, respondWith, truncateResponse } from '#server/models/engine/testing/fake-upstream-server.ts';
import { findFalModel, useFalPreset } from './testing/fal-preset-fixture.ts';
import { falPreset } from './fal-preset.ts';
import { openFal } from './open-fal.ts';

const fal = useFalPreset();
const signal = new AbortController().signal;

describe('a submit to fal', () => {
  const REJECTED_KEY = 'The provider rejected the API key. Ask the operator to check it.';
  const NO_CREDIT = 'The provider account has no credit left. Ask the operator to top it up.';

  it('with a wrong key is rejected without exposing it', async () => {
    const error: unknown = await fal.submit({ api_key: 'wrong-id:wrong-secret' }).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: 'model_unavailable', message: REJECTED_KEY });
    expect(inspect(error, { depth: 12 })).not.toContain('wrong-secret');
  });

  it.each([
    ['Exhausted balance. Top up your balance at fal.ai/dashboard/billing.', NO_CREDIT],
    ['TOP_UP.', NO_CREDIT],
    [
      'Admin lock. Please contact support@fal.ai',
      'The provider has locked the account. Ask the operator to contact fal.',
    ],
  ])('of a locked account is rejected: %s', async (reason, message) => {
    fal.record.locked = reason;
    await expect(fal.submit()).rejects.toMatchObject({ code: 'model_unavailable', message });
    expect(fal.server.upstream.jobs).toEqual([]);
  });

  it('whose response is lost may have created a job', async () => {
    for (const fault of [respondWith(500, 'oops'), respondWith(200, '<html>')]) {
      fal.server.injectFault(fault);
      await expect(fal.submit()).rejects.toMatchObject({ name: 'ResponseLostError' });
    }
    expect(fal.createAdapter().supports_submit_key).toBe(false);
  });

  it('whose response is lost is found by its seed once it has started, for models with a seed', async () => {
    const presetModel = findFalModel('image.create', 'imgmodel-b-2');
    const input = { prompt: 'a pear', aspect_ratio: '16:9', resolution: '2K', output_format: 'png' };
    fal.server.injectFault(truncateResponse);
    await expect(fal.submit({ presetModel, input })).rejects.toMatchObject({ name: 'ResponseLostError' });
    const { task, model } = presetModel;
    const lost = { task, model, input, submit_key: 'gen_1', submitted_at: new Date(), signal };
    const adapter = fal.createAdapter({ presetModel });
    expect(await adapter.findLostSubmit?.(lost)).toBeNull();
    fal.setState('running');
    const handle = (await adapter.findLostSubmit?.(lost)) ?? expect.fail('not found');
    expect(handle).toMatchObject({ request_id: fal.server.upstream.jobs[0]?.id, endpoint: 'fal-ai/nano-banana-2' });
    fal.setState('succeeded');
    expect(await fal.poll(handle, { presetModel, input })).toMatchObject({ status: 'succeeded' });
    expect(await adapter.findLostSubmit?.({ ...lost, submit_key: 'gen_2' })).toBeNull();
    expect(fal.createAdapter().findLostSubmit).toBeUndefined();
  });

  it('ends with the reason of an abort', async () => {
    const controller = new AbortController();
    const reason = new Error('stop');
    fal.server.injectFault(neverRespond(() => controller.abort(reason)));
    await expect(fal.submit({ signal: controller.signal })).rejects.toBe(reason);
  });

  it('names the roles of references in the prompt and uploads their files', async () => {
    const reference_images = [{ url: 'https://example.com/a.png', role: 'the hero' }];
    await fal.submit({ input: { reference_images } });
    expect(fal.record.submits[0]).toMatchObject({
      path: '/bytedance/seedance-2.0/reference-to-video',
      input: { prompt: 'a pear\n\n@Image1: the hero', image_urls: [`${fal.server.base_url}/files/in-0`] },
    });
    expect(fal.record.uploads).toMatchObject([{ content_type: 'image/png', whole: true }]);
    const lifecycle = '{"expiration_duration_seconds":604800}';
    expect(fal.record.uploads[0]?.headers['x-fal-object-lifecycle']).toBe(lifecycle);
    expect(fal.record.submits[0]?.headers).toMatchObject({
      'x-fal-object-lifecycle-preference': lifecycle,
      'x-fal-request-timeout': '60',
    });
  });

  const video = { reference_videos: [{ url: 'https://example.com/a.mp4', role: null }] };
  const audio = { reference_audio: [{ url: 'https://example.com/a.mp3', role: null }], ...video };
  it.each<[Record<string, unknown>, Partial<MediaFileInfo>, string]>([
    [video, { mime_type: 'video/webm' }, 'fal’s Seedance 2.0 takes only MP4 and MOV videos.'],
    [video, { duration_seconds: 16 }, 'fal’s Seedance 2.0 takes MP4 and MOV videos of 2 to 15 seconds together.'],
    [video, { size_bytes: 51e6 }, 'fal’s Seedance 2.0 takes MP4 and MOV videos of at most 50 MB together.'],
    [video, { width: 1920, height: 1080 }, 'fal’s Seedance 2.0 takes MP4 and MOV videos between 480p and 720p.'],
    [audio, { mime_type: 'video/mp4' }, 'fal’s Seedance 2.0 takes only MP3 and WAV audio.'],
    [
      { first_frame: { url: 'https://example.com/a.png' } },
      { mime_type: 'image/avif' },
      'fal’s Seedance 2.0 takes only JPEG, PNG and WebP images.',
    ],
  ])('with files that fal rejects is not sent: %j %j', async (references, media, message) => {
    await expect(fal.submit({ input: references, media })).rejects.toMatchObject({
      code: 'invalid_media',
      message,
    });
    expect(fal.record.uploads).toEqual([]);
  });

  it('to Omni takes reference videos of at most 3 seconds', async () => {
    const presetModel = findFalModel('video.create', 'omni-video');
    const reference_video = { url: 'https://example.com/a.mp4', role: null };
    const input = { prompt: 'x', aspect_ratio: '9:16', duration_seconds: 4, seed: null, reference_video };
    await expect(fal.submit({ presetModel, input, media: { duration_seconds: 3.2 } })).rejects.toMatchObject({
      message: 'fal’s Gemini Omni Flash takes reference videos of at most 3 seconds each.',
    });
    await fal.submit({ presetModel, input, media: { duration_seconds: 3 } });
    expect(fal.record.submits[0]?.input).toMatchObject({ duration: 4, resolution: '720p' });
  });
});

describe('the check of a key', () => {
  it('says that the key works and what fal charges', async () => {
    fal.record.unit_price = 0.15;
    expect(await falPreset.check(fal.connection(), signal)).toBe(
      'The key works. fal’s price of Nano Banana Pro is $0.15 (unit: units).',
    );
    expect(fal.server.upstream.jobs).toEqual([]);
  });

  it.each([
    ['a wrong key', 'wrong:key', null, 'The provider rejected the API key. Ask the operator to check it.'],
    [
      'no credit',
      undefined,
      'Exhausted balance.',
      'The provider account has no credit left. Ask the operator to top it up.',
    ],
  ])('rejects %s', async (_name, key, locked, message) => {
    fal.record.locked = locked;
    await expect(falPreset.check(fal.connection(key), signal)).rejects.toMatchObject({ name: 'EngineError', message });
  });
});

it.each([
  [null, ['https://queue.fal.run', 'https://api.fal.ai/v1'], 'https://rest.fal.ai'],
  ['https://queue.fal.run/', ['https://queue.fal.run', 'https://api.fal.ai/v1'], 'https://rest.fal.ai'],
  [
    'https://gateway.test/fal',
    ['https://gateway.test/fal/queue', 'https://gateway.test/fal/api'],
    'https://gateway.test/fal/rest',
  ],
])('fal’s hosts are its own or below the address %s', (address, services, storage_url) => {
  const opened: string[] = [];
  const openService = (base_url: string) => {
    opened.push(base_url);
    return createFetcher().createService(base_url);
  };
  const servers = openFal({ address, openService, api_key: fal.KEY, deadlineMs: 60_000 });
  expect([opened, servers.storage_url]).toEqual([services, storage_url]);
});
