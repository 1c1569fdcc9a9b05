import { createFal } from '@ai-sdk/fal';
import { createOpenAI } from '@ai-sdk/openai';
import { createReplicate } from '@ai-sdk/replicate';
import { generateImage, type ImageModel } from 'ai';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createScriptedEngine } from '#server/studio/generations/testing/scripted-engine.ts';
import { type TestOrganization, useSharedService } from '#server/studio/generations/testing/shared-service-fixture.ts';
import { createWorkerFixture } from '#server/studio/generations/testing/worker-fixture.ts';
import { createPng } from '#server/studio/uploads/testing/upload-fixture.ts';

const engine = createScriptedEngine();
const service = useSharedService(() => ({ engines: [engine] }));
const workers = createWorkerFixture(service);
let studio: TestOrganization;
let origin: string;

beforeAll(async () => {
  origin = await service.get().listen();
  Object.assign(service.get().deps.config, { publicUrl: origin });
  await workers.start();
  studio = await service.createOrganization('100.00');
});
afterAll(async () => {
  await workers.stop();
});

/** Each with a name that the provider gives the model, and with ours. */
const PROVIDERS = {
  '@ai-sdk/openai': {
    models: ['gpt-image-2', 'imgmodel-b-2'],
    edits: 'gpt-image-2',
    connect: (apiKey: string) => {
      const openai = createOpenAI({ baseURL: `${origin}/compat/openai/v1`, apiKey });
      return (model: string): ImageModel => openai.image(model);
    },
  },
  '@ai-sdk/fal': {
    models: ['fal-ai/nano-banana-2', 'emulsion/imgmodel-a-2'],
    edits: 'fal-ai/nano-banana-2/edit',
    connect: (apiKey: string) => {
      const fal = createFal({ baseURL: `${origin}/compat/fal`, apiKey });
      return (model: string): ImageModel => fal.image(model);
    },
  },
  '@ai-sdk/replicate': {
    models: ['openai/gpt-image-2', 'google/nano-banana-2', 'emulsion/imgmodel-b-2'],
    edits: 'openai/gpt-image-2',
    connect: (apiToken: string) => {
      const replicate = createReplicate({ baseURL: `${origin}/compat/replicate/v1`, apiToken });
      return (model: string): ImageModel => replicate.image(model);
    },
  },
} as const;

const lastOrder = async () => (await studio.call('list_generations', { query: { limit: 1 } })).body.data[0];

describe.each(Object.entries(PROVIDERS))('%s', (_name, { connect, models, edits }) => {
  it.each(models)('makes images with %s', async (model) => {
    const { images } = await generateImage({ model: connect(studio.key)(model), prompt: 'a lighthouse', n: 2 });
    expect(images.map(({ mediaType }) => mediaType)).toEqual(['image/png', 'image/png']);
  });

  it('makes an image in a size', async () => {
    await generateImage({ model: connect(studio.key)(models[0]), prompt: 'a wide lighthouse', size: '1536x1024' });
    expect(await lastOrder()).toMatchObject({ task: 'image.create', input: { aspect_ratio: '3:2' } });
  });

  it('edits an image', async () => {
    const prompt = { text: 'make it night', images: [await createPng(32, 24, '#258')] };
    const { image } = await generateImage({ model: connect(studio.key)(edits), prompt });
    expect(image.uint8Array.length).toBeGreaterThan(0);
    expect(await lastOrder()).toMatchObject({
      task: 'image.edit',
      input: { images: [{ url: expect.stringContaining('/media/upl_') }] },
    });
  });

  it('gets a refusal with our sentence', async () => {
    const model = connect(studio.key)(models[0]);
    const order = generateImage({ model, prompt: 'a lighthouse', size: '700x100', maxRetries: 0 });
    await expect(order).rejects.toThrow(/size/);
  });
});
