import type { FalClient } from '@fal-ai/client';
import { readFile } from 'node:fs/promises';
import { beforeAll, expect, it } from 'vitest';
import { addedModelsFixture, PER_RUN } from '#server/models/added-models/testing/added-models-fixture.ts';
import { connectFal } from './testing/fal-fixture.ts';

const models = addedModelsFixture();
let client: FalClient;
let picture: string;

beforeAll(async () => {
  const { service, media } = models;
  const url = await service.listen();
  Object.assign(service.deps.config, { publicUrl: url });
  client = connectFal(url, service.keys.organization);
  picture = (await media.upload(service, service.organization_id, media.picture())).url;
});

const run = async (endpoint: string, input: Record<string, unknown>): Promise<Record<string, unknown>> =>
  (await client.run<string>(endpoint, { input } as never)).data as Record<string, unknown>;
const file = (type: string) => ({ url: expect.stringContaining('/media/ast_'), content_type: type });

it('takes the parameters of its schema and returns its output names', async () => {
  await models.publish('acme/paint/lora');
  const input = { prompt: 'a pear', num_images: 1, image_size: { width: 640, height: 480 }, seed: 3 };
  expect(await run('acme/paint/lora', input)).toMatchObject({ images: [file('image/png')] });
  expect(models.record.submits.at(-1)?.input).toMatchObject(input);
});

it('returns one image as `image`, with the data beside it', async () => {
  await models.publish('acme/upscale', { task: 'image.upscale', price: PER_RUN });
  expect(await run('acme/upscale', { image_url: picture, factor: 4 })).toMatchObject({
    image: file('image/png'),
    width: 1024,
  });
});

it('returns audio, and data alone', async () => {
  await models.publish('acme/speech');
  models.upstream.outputs = [await readFile(models.media.sound())];
  expect(await run('acme/speech', { text: 'Hello' })).toMatchObject({ audio: file('audio/wav') });
  await models.publish('acme/transcribe', { price: PER_RUN });
  const audio_url = await client.storage.upload(new Blob([await readFile(models.media.sound())]));
  expect(await run('acme/transcribe', { audio_url })).toEqual({ text: 'Once upon a time' });
});

it('returns files that the library does not hold under their names', async () => {
  models.upstream.outputs = [await readFile(models.media.picture())];
  await models.publish('acme/mesh', { task: 'other.run', price: PER_RUN });
  const result = await run('acme/mesh', { image_urls: [picture] });
  expect(JSON.stringify(result)).toContain('mesh.glb');
  expect(result).not.toHaveProperty('other_files');
});

it('takes what is in Advanced beside the other parameters', async () => {
  await models.publish('acme/studio', { task: 'video.create', price: PER_RUN });
  models.upstream.outputs = [await readFile(models.media.clip())];
  const masks = [{ points: [{ x: 1 }] }];
  const input = { prompt: 'A loop', style: 'warm', image_url: picture, masks };
  expect(await run('acme/studio', input)).toMatchObject({ video: file('video/mp4') });
  expect(models.record.submits.at(-1)?.input).toMatchObject({ masks });
  await expect(run('acme/studio', { ...input, colour: 'red' })).rejects.toMatchObject({ status: 422 });
});

it('shows the stage of the provider as a log', async () => {
  models.state.next = 'queued';
  const { request_id: requestId } = await client.queue.submit('acme/upscale', {
    input: { image_url: picture },
  } as never);
  await expect
    .poll(async () => (await client.queue.status('acme/upscale', { requestId, logs: true })).status)
    .toMatch(/IN_(QUEUE|PROGRESS)/);
  await client.queue.cancel('acme/upscale', { requestId });
  models.state.next = 'succeeded';
});
