import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { MediaTools } from './media-tools.ts';
import { shrinkImage } from './picture-jobs.ts';
import { createAnimationBomb, createPngBomb } from './testing/image-bomb-fixture.ts';
import { sharedMediaTools } from './testing/shared-media-tools.ts';

// Every test writes its image under the same name.
sharp.cache(false);

let folder: string;
let output: string;
let tools: MediaTools;
beforeAll(async () => {
  tools = await sharedMediaTools();
  folder = await mkdtemp(path.join(tmpdir(), 'shrink-'));
  output = path.join(folder, 'small.webp');
});
afterAll(() => rm(folder, { recursive: true }));

const RED = { r: 220, g: 20, b: 20 };
const BLUE = { r: 20, g: 20, b: 220 };
const plain = (width: number, height: number, background: object = RED) =>
  sharp({ create: { width, height, channels: 3, background: { ...RED, ...background } } });

async function shrunk(bytes: Uint8Array, width = 320) {
  const file = path.join(folder, 'original');
  await writeFile(file, bytes);
  const size = await shrinkImage(tools, file, { file: output, width });
  return { size: [size.width, size.height], meta: await sharp(output).metadata() };
}

async function colorAt(x: number, y: number): Promise<string> {
  const { data, info } = await sharp(output).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  const at = 4 * (y * info.width + x);
  if ((data[at + 3] ?? 0) < 128) return 'none';
  return (data[at] ?? 0) > (data[at + 2] ?? 0) ? 'red' : 'blue';
}

it('scales an image to the width, as WebP', async () => {
  const { size, meta } = await shrunk(await plain(1600, 900).jpeg().toBuffer());
  expect([size, meta.format]).toEqual([[320, 180], 'webp']);
});

it('never enlarges', async () => {
  expect((await shrunk(await plain(40, 30).png().toBuffer())).size).toEqual([40, 30]);
});

it('limits the height of a narrow strip', async () => {
  expect((await shrunk(await plain(300, 12_000).png().toBuffer())).size).toEqual([24, 960]);
});

it('applies the orientation and removes metadata', async () => {
  const leftBlue = plain(200, 100).composite([
    { input: await plain(100, 100, BLUE).png().toBuffer(), left: 0, top: 0 },
  ]);
  const { size, meta } = await shrunk(
    await leftBlue
      .jpeg()
      .withExif({ IFD0: { Make: 'Camera' } })
      .withMetadata({ orientation: 6 })
      .toBuffer(),
  );
  expect(size).toEqual([100, 200]);
  // After a turn to the right, the left side is at the top.
  expect([await colorAt(50, 20), await colorAt(50, 180)]).toEqual(['blue', 'red']);
  expect([meta.exif, meta.orientation]).toEqual([undefined, undefined]);
});

it('keeps transparency', async () => {
  const background = { ...RED, alpha: 0 };
  const hole = sharp({ create: { width: 200, height: 100, channels: 4, background } });
  await shrunk(
    await hole
      .composite([{ input: await plain(100, 100).png().toBuffer(), left: 0, top: 0 }])
      .png()
      .toBuffer(),
    100,
  );
  expect([await colorAt(10, 25), await colorAt(90, 25)]).toEqual(['red', 'none']);
});

it('shows the first frame of an animation', async () => {
  const frames = await Promise.all([RED, BLUE].map((color) => plain(64, 64, color).png().toBuffer()));
  const animation = await sharp(frames, { join: { animated: true } })
    .gif({ delay: [100, 100] })
    .toBuffer();
  expect((await sharp(animation).metadata()).pages).toBe(2);
  const { size, meta } = await shrunk(animation, 32);
  expect([size, meta.pages ?? 1, await colorAt(16, 16)]).toEqual([[32, 32], 1, 'red']);
  expect((await shrunk(await createAnimationBomb(64, 500), 32)).size).toEqual([32, 32]);
});

it.each([
  ['no picture', () => Buffer.from('not a picture')],
  ['more pixels than are ever decoded', () => createPngBomb(16_000)],
])('fails with a message: %s', async (_, bytes) => {
  await expect(shrunk(bytes())).rejects.toMatchObject({ name: 'MediaError', code: 'invalid_media' });
});
