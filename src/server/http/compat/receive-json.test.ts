import { createHash } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { request } from 'node:http';
import sharp from 'sharp';
import { expect, it } from 'vitest';
import type { Generation } from '#contract/resources/generation.ts';
import { uploadFolder } from '#server/studio/uploads/upload-folder.ts';
import { OPENAI_PATH, openAiFixture } from './openai/testing/openai-fixture.ts';

const fixture = openAiFixture();
const { openStudio, listGenerations } = fixture;
const EDITS = `${OPENAI_PATH}/images/edits`;

/** Larger than a JSON body may be without its files. */
const createNoise = (seed: number): Promise<Buffer> =>
  sharp({
    create: {
      width: 900,
      height: 900,
      channels: 3,
      background: 'black',
      noise: { type: 'gaussian', mean: 128 + seed, sigma: 60 },
    },
  })
    .png({ compressionLevel: 0 })
    .toBuffer();

const toUri = (bytes: Buffer) => `data:image/png;base64,${bytes.toString('base64')}`;
const order = { model: 'imgmodel-a-2', prompt: 'dusk' };

async function send(key: string, body: string, url = EDITS) {
  const response = await fetch(fixture.url + url, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body,
  });
  const text = await response.text();
  return { status: response.status, text };
}

const listLeftFiles = () => readdir(uploadFolder(fixture.service.get().deps.config));
const imagesOf = (generation: Generation | undefined) => generation?.input['images'] as { url: string }[];
const hash = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

it('stores files of a large body as uploads, each once, whatever escapes they are written with', async () => {
  const { studio } = await openStudio();
  const [first, second] = [await createNoise(0), await createNoise(20)];
  const images = [first, second, first].map((bytes) => ({ image_url: toUri(bytes) }));
  const body = JSON.stringify({ ...order, images })
    .replaceAll('/', '\\/')
    .replaceAll('+', '\\u002B');
  expect((await send(studio.key, body)).status).toBe(200);
  const uploads = (await studio.call('list_uploads')).body.data;
  expect(uploads.map(({ sha256 }) => sha256).toSorted()).toEqual([hash(first), hash(second)].toSorted());
  const [generation] = await listGenerations(studio);
  const urls = imagesOf(generation).map(({ url }) => new URL(url).pathname);
  expect(urls[0]).toBe(urls[2]);
  expect(new Set(urls).size).toBe(2);
  expect(await listLeftFiles()).toEqual([]);
});

it('takes a body whose length is not declared', async () => {
  const { studio } = await openStudio();
  const picture = await createNoise(0);
  const json = JSON.stringify({ ...order, images: [{ image_url: toUri(picture) }] });
  const status = await new Promise<number | undefined>((resolve, reject) => {
    const outgoing = request(fixture.url + EDITS, {
      method: 'POST',
      headers: { authorization: `Bearer ${studio.key}`, 'content-type': 'application/json' },
    });
    outgoing.on('error', reject).on('response', (response) => {
      response.resume().on('end', () => resolve(response.statusCode));
    });
    for (let at = 0; at < json.length; at += 99_999) outgoing.write(json.slice(at, at + 99_999));
    outgoing.end();
  });
  expect(status).toBe(200);
  expect((await studio.call('list_uploads')).body.data[0]?.sha256).toBe(hash(picture));
});

it('refuses a long text before the rest of the body has arrived, and orders nothing', async () => {
  const { studio } = await openStudio();
  const { maxJsonBytes } = fixture.service.get().deps.config;
  const status = await new Promise<number | undefined>((resolve, reject) => {
    const outgoing = request(fixture.url + EDITS, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${studio.key}`,
        'content-type': 'application/json',
        'content-length': 16_000_000,
      },
    });
    outgoing.on('error', reject).on('response', (response) => {
      resolve(response.statusCode);
      outgoing.on('error', () => undefined).destroy();
    });
    outgoing.write(`{"model":"imgmodel-a-2","prompt":"${'x'.repeat(maxJsonBytes)}`);
  });
  expect(status).toBe(413);
  expect(await listGenerations(studio)).toEqual([]);
});

it.each([
  [
    'a file where the model takes text',
    { ...order, prompt: toUri(Buffer.alloc(1_500_000)), images: ['https://x.test/a.png'] },
    413,
  ],
  ['content that is no base64', { ...order, images: [`${toUri(Buffer.alloc(1_500_000))}!`] }, 422],
  ['101 files', { ...order, images: Array.from({ length: 101 }, (_, at) => toUri(Buffer.alloc(12_000, at))) }, 422],
  ['a file that is no image', { ...order, images: [toUri(Buffer.alloc(1_500_000))] }, 400],
])('refuses %s, and keeps no file', async (_, body, status) => {
  const { studio } = await openStudio();
  expect((await send(studio.key, JSON.stringify(body))).status).toBe(status);
  expect(await listLeftFiles()).toEqual([]);
  expect(await listGenerations(studio)).toEqual([]);
});

it('leaves a data URI in a prompt as it is', async () => {
  const { studio } = await openStudio();
  const prompt = toUri(Buffer.alloc(20_000, 'x'));
  const body = { ...order, prompt, images: [{ image_url: toUri(await createNoise(0)) }] };
  const { status } = await send(studio.key, JSON.stringify(body));
  expect(status).toBe(200);
  const [listed] = await listGenerations(studio);
  const { body: generation } = await studio.call('get_generation', { params: { generation_id: listed?.id ?? '' } });
  expect(generation.input['prompt']).toBe(prompt);
});
