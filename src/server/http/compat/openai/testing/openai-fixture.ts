import OpenAI, { APIError, toFile } from 'openai';
import sharp from 'sharp';
import { afterAll, beforeAll } from 'vitest';
import type { Generation } from '#contract/resources/generation.ts';
import { createScriptedEngine } from '#server/studio/generations/testing/scripted-engine.ts';
import { useSharedService, type TestOrganization } from '#server/studio/generations/testing/shared-service-fixture.ts';
import { createWorkerFixture } from '#server/studio/generations/testing/worker-fixture.ts';

export const OPENAI_PATH = '/compat/openai/v1';

/** The official client, which does not repeat requests unless a test says so. */
export const createClient = (url: string, apiKey: string, options: ConstructorParameters<typeof OpenAI>[0] = {}) =>
  new OpenAI({ apiKey, baseURL: `${url}${OPENAI_PATH}`, maxRetries: 0, ...options });

export async function readError(response: PromiseLike<unknown>): Promise<APIError> {
  try {
    await response;
  } catch (error) {
    if (error instanceof APIError) return error;
    throw error;
  }
  throw new Error('An error was expected.');
}

export const createPicture = (color: string): Promise<Buffer> =>
  sharp({ create: { width: 8, height: 8, channels: 3, background: color } })
    .png()
    .toBuffer();

export const createPictureFile = async (color: string) =>
  toFile(await createPicture(color), `${color}.png`, { type: 'image/png' });

/** A mask as OpenAI reads it: its left half is transparent, which changes. */
export async function createMaskFile(size = 8) {
  const kept = { create: { width: size / 2, height: size, channels: 4, background: '#000f' } } as const;
  const mask = sharp({ create: { width: size, height: size, channels: 4, background: '#0000' } }).composite([
    { input: await sharp(kept).png().toBuffer(), left: size / 2, top: 0 },
  ]);
  return toFile(await mask.png().toBuffer(), 'mask.png', { type: 'image/png' });
}

/** A service with a worker and a scripted engine. */
export function openAiFixture() {
  const engine = createScriptedEngine();
  const service = useSharedService(() => ({ engines: [engine] }));
  const workers = createWorkerFixture(service);
  let url: string;
  beforeAll(async () => {
    url = await service.get().listen();
    await workers.start();
  });
  afterAll(async () => {
    engine.unblock();
    await workers.stop();
  });
  return {
    engine,
    workers,
    service,
    get url() {
      return url;
    },
    async openStudio(amount_usd = '10.00', options?: ConstructorParameters<typeof OpenAI>[0]) {
      const studio = await service.createOrganization(amount_usd);
      return { studio, client: createClient(url, studio.key, options) };
    },
    async listGenerations(studio: TestOrganization): Promise<Generation[]> {
      return (await studio.call('list_generations')).body.data;
    },
  };
}
