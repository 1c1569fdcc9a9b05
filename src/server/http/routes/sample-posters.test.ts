import fastify from 'fastify';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { sharedMediaTools } from '#server/platform/media/testing/shared-media-tools.ts';
import { createPainting } from '#server/models/preview/painting.ts';
import { createSamplePosters } from '#server/models/preview/social/sample-posters.ts';
import { sendError } from '#server/http/errors.ts';
import { samplePosterRoutes } from './media.ts';

const app = fastify();
const get = async (name: string) => app.inject({ url: `/samples/${name}` });

beforeAll(async () => {
  app.setErrorHandler((error, request, reply) => sendError(error, request, reply));
  samplePosterRoutes(app, createSamplePosters(createPainting(await sharedMediaTools(), 1)));
  await app.ready();
});
afterAll(() => app.close());

it('serves the picture of a sample post to everybody', async () => {
  const { statusCode, headers, rawPayload } = await get('sample-002.webp');
  expect({ statusCode, type: headers['content-type'] }).toEqual({ statusCode: 200, type: 'image/webp' });
  expect(headers['content-security-policy']).toContain('sandbox');
  expect(rawPayload.subarray(8, 12).toString()).toBe('WEBP');
});

it.each(['sample-999.webp', 'sample-002-1.webp', 'sample-001-clip.webp', 'other.webp', '..%2F..%2Fpackage.json'])(
  'returns 404 for %s',
  async (name) => {
    expect((await get(name)).statusCode).toBe(404);
  },
);
