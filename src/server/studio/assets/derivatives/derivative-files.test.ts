import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Derivatives, Waveform } from '#contract/resources/media.ts';
import type { Generation } from '#contract/resources/generation.ts';
import { createToolsEngine } from '#server/models/tools/tools-engine.ts';
import { useMediaFixture } from '#server/studio/generations/testing/media-fixture.ts';
import { waitFor } from '#server/studio/generations/testing/wait-for.ts';
import { startWorker, type Worker } from '#server/app/worker.ts';
import { sharedMediaTools } from '#server/platform/media/testing/shared-media-tools.ts';
import { probeFile } from '#server/platform/media/probe-file.ts';
import { createTestService, type TestService } from '#server/app/testing/test-service.ts';

const media = useMediaFixture();
let service: TestService;
let worker: Worker;
beforeAll(async () => {
  service = await createTestService({ engines: [createToolsEngine(await sharedMediaTools())] });
  worker = await startWorker(service.deps);
});
afterAll(async () => {
  await worker.stop();
  await service.close();
});

async function waitForDerivatives(task: string, input: Record<string, unknown>): Promise<Derivatives> {
  const { id } = (await service.call('create_generation', { body: { task, input } })).body;
  const read = async (): Promise<Generation> =>
    (await service.call('get_generation', { params: { generation_id: id } })).body;
  await waitFor('the generation to succeed', async () => (await read()).status === 'succeeded');
  await waitFor('derivatives', async () => (await read()).output.assets[0]?.derivatives);
  const [listed] = (await service.call('list_generations')).body.data;
  expect(listed).toEqual(await read());
  const [asset] = listed?.output.assets ?? [];
  if (!asset?.derivatives) throw new Error('The listed asset has no derivatives.');
  return asset.derivatives;
}

const get = (link: string | null) =>
  service.app.inject({ url: (link ?? '').slice(service.deps.config.publicUrl.length) });

it('creates up to two thumbnails and a playable preview for a video', async () => {
  const { url } = await media.upload(service, service.organization_id, media.clip());
  const { thumbnails, preview_url, waveform_url } = await waitForDerivatives('video.trim', {
    video: { url },
    start_seconds: 0,
    end_seconds: 4,
  });
  expect([thumbnails.map(({ width, height }) => [width, height]), waveform_url]).toEqual([[[64, 36]], null]);
  expect((await get(thumbnails[0]?.url ?? null)).headers['content-type']).toBe('image/webp');
  const preview = await get(preview_url);
  expect([preview.statusCode, preview.headers['content-type']]).toEqual([200, 'video/mp4']);
  const file = join(service.deps.config.dataDir, 'preview');
  await writeFile(file, preview.rawPayload);
  const { has_audio, duration_seconds } = await probeFile(service.deps.media, file);
  expect([has_audio, duration_seconds]).toEqual([false, expect.closeTo(3, 1)]);
  const part = await service.app.inject({
    url: (preview_url ?? '').slice(service.deps.config.publicUrl.length),
    headers: { range: 'bytes=0-9' },
  });
  expect([part.statusCode, part.rawPayload.length]).toEqual([206, 10]);
});

it('creates a waveform for an audio file', async () => {
  const { url } = await media.upload(service, service.organization_id, media.clip());
  const { thumbnails, preview_url, waveform_url } = await waitForDerivatives('video.extract_audio', {
    video: { url },
    format: 'mp3',
  });
  expect([thumbnails, preview_url]).toEqual([[], null]);
  const response = await get(waveform_url);
  expect(response.headers).toMatchObject({
    'content-type': 'application/json',
    'content-disposition': expect.stringMatching(/^attachment;/),
    'content-security-policy': "sandbox; default-src 'none'",
  });
  const waveform = Waveform.parse(response.json());
  expect(waveform.duration_seconds).toBeCloseTo(5, 0);
  expect(waveform.peaks.length).toBeGreaterThan(400);
  expect(Math.max(...waveform.peaks)).toBeGreaterThan(0.05);
});
