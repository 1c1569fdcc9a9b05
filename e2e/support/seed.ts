import type { GenerationCreate } from '#contract/resources/generation.ts';
import type { Upload } from '#contract/resources/upload.ts';
import { call, postGeneration, waitForGeneration, uploadFile } from './api-client.ts';
import { makeClip, createTempDirectory } from './clips.ts';
import type { Service } from './service.ts';

/** One generation of every final status, with content for each part of a page. */
export interface Seed {
  clip: Upload;
  picture: string;
  trimmed: string;
  scenes: string;
  found: string;
  failed: string;
  canceled: string;
  /** A generation for which the provider returned nothing. */
  inReview: string;
}

/** Seeds the service and waits until every generation is complete. The fake image provider must return nothing. */
export async function seedService(service: Service): Promise<Seed> {
  const clip = await uploadFile(service, makeClip(createTempDirectory(), 'a walk.mp4', { seconds: 2 }));
  const video = { url: clip.url };
  await call(service, 'PUT', '/v1/tags/campaign', { label: 'Campaign', required: false, values: null });
  await call(service, 'POST', '/v1/presets', {
    name: 'Pears for the team',
    task: 'image.create',
    model: 'imgmodel-a-2',
    input: { prompt: 'Three pears on a windowsill, morning light', aspect_ratio: '3:2' },
    shared: true,
  });
  const start = async (order: GenerationCreate) => (await postGeneration(service, order)).id;
  const trim = { task: 'video.trim', input: { video, start_seconds: 0.4, end_seconds: 1.6 } };
  const seed = {
    clip,
    canceled: await start({
      task: 'video.create',
      model: 'vidmodel-c-2.5',
      input: { prompt: 'A long pan over dunes', duration_seconds: 30, resolution: '1080p' },
    }),
    picture: await start({
      task: 'image.create',
      model: 'imgmodel-b-2-lite',
      input: { prompt: 'Three pears on a windowsill, morning light' },
      metadata: { campaign: 'spring', shot: '12' },
    }),
    inReview: await start({
      task: 'image.create',
      model: 'imgmodel-b-2',
      input: { prompt: 'A harbour at dawn' },
    }),
    trimmed: await start(trim),
    scenes: await start({ task: 'video.split_scenes', input: { video } }),
    found: await start({ task: 'social.search', input: { platform: 'social_a', query: 'street food' } }),
    failed: await start({ ...trim, input: { video, start_seconds: 5, end_seconds: 6 } }),
  };
  await call(service, 'POST', `/v1/generations/${seed.canceled}/cancel`);
  for (const id of [seed.picture, seed.trimmed, seed.scenes, seed.found, seed.failed, seed.canceled, seed.inReview])
    await waitForGeneration(service, id, 90_000);
  return seed;
}
