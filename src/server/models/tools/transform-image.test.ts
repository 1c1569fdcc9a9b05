import path from 'node:path';
import sharp, { type Sharp } from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseTaskInput } from '#contract/testing/input-fixture.ts';
import { openClipFixture, type ClipFixture } from '#server/models/engine/testing/clip-fixture.ts';

sharp.cache(false);

let fixture: ClipFixture;
beforeAll(async () => {
  fixture = await openClipFixture();
});
afterAll(() => fixture.close());

/** Four quarters in different colors: red, green, blue, white from the top left, row by row. */
const QUARTERS = { r: '#ff0000', g: '#00ff00', b: '#0000ff', w: '#ffffff' } as const;
async function quarters(width = 80, height = 40): Promise<Sharp> {
  const part = (background: string, column: number, row: number) => ({
    input: { create: { width: width / 2, height: height / 2, channels: 3 as const, background } },
    left: (column * width) / 2,
    top: (row * height) / 2,
  });
  const { r, g, b, w } = QUARTERS;
  const picture = sharp({ create: { width, height, channels: 3, background: r } });
  return sharp(
    await picture
      .composite([part(g, 1, 0), part(b, 0, 1), part(w, 1, 1)])
      .removeAlpha()
      .png()
      .toBuffer(),
  );
}

let created = 0;
async function save(picture: Sharp, extension: string): Promise<string> {
  const file = path.join(fixture.folder, `picture-${(created += 1)}.${extension}`);
  await picture.toFile(file);
  return file;
}

async function transform(file: string, changes: Record<string, unknown>) {
  const parsed = parseTaskInput('image.transform', null, { image: { url: 'https://files.test/a.png' }, ...changes });
  if (!parsed.ok) throw new Error(parsed.details[0]?.message);
  const result = await fixture.run('image.transform', { image: file }, parsed.input);
  return { ...result, file: result.files[0] ?? '' };
}

/** The letter of the quarter at a point, `-` where it is transparent; `?` for another color. */
async function letterAt(file: string, x: number, y: number, page = 0): Promise<string> {
  const { data, info } = await sharp(file, { page }).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  const at = info.channels * (y * info.width + x);
  if ((data[at + 3] ?? 0) < 128) return '-';
  const bits = [0, 1, 2].map((channel) => ((data[at + channel] ?? 0) > 128 ? 1 : 0)).join('');
  return { '100': 'r', '010': 'g', '001': 'b', '111': 'w', '000': 'k' }[bits] ?? '?';
}

/** The four corners, row by row, and the size. */
async function look(file: string, page = 0): Promise<string> {
  const { width, height, pageHeight = height } = await sharp(file, { page }).metadata();
  const [right, bottom] = [width - 3, pageHeight - 3];
  const letters = [
    await letterAt(file, 2, 2, page),
    await letterAt(file, right, 2, page),
    await letterAt(file, 2, bottom, page),
    await letterAt(file, right, bottom, page),
  ];
  return `${letters.join('')} ${width}×${pageHeight}`;
}

const CHANGES: readonly [string, Record<string, unknown>, string][] = [
  ['crops', { crop: { x: 40, y: 0, width: 40, height: 40 } }, 'ggww 40×40'],
  ['turns to the right', { rotate: 90 }, 'brwg 40×80'],
  ['turns around', { rotate: 180 }, 'wbgr 80×40'],
  ['turns to the left', { rotate: 270 }, 'gwrb 40×80'],
  ['flips left to right', { flip: 'horizontal' }, 'grwb 80×40'],
  ['flips upside down', { flip: 'vertical' }, 'bwrg 80×40'],
  ['turns before it flips left to right', { rotate: 90, flip: 'horizontal' }, 'rbgw 40×80'],
  ['turns before it flips upside down', { rotate: 270, flip: 'vertical' }, 'rbgw 40×80'],
  ['crops before it turns', { crop: { x: 0, y: 0, width: 80, height: 20 }, rotate: 90 }, 'rrgg 20×80'],
  ['resizes by one side', { resize: { width: 40 } }, 'rgbw 40×20'],
  ['keeps the ratio', { resize: { width: 160, height: 160 } }, 'rgbw 160×80'],
  ['cuts to a ratio', { resize: { width: 20, height: 40, fit: 'cover' } }, 'rgbw 20×40'],
  ['stretches', { resize: { width: 60, height: 60, fit: 'fill' } }, 'rgbw 60×60'],
  ['resizes what it turned', { rotate: 90, resize: { width: 20, height: 200 } }, 'brwg 20×40'],
  ['extends with a color', { expand: { left: 10, bottom: 20, fill: '#000000' } }, 'kgkk 90×60'],
  [
    'extends what it turned and resized',
    { rotate: 90, resize: { width: 20 }, expand: { top: 10, fill: 'white' } },
    'wwwg 20×50',
  ],
];

describe.each(['png', 'jpg', 'webp', 'avif', 'gif'])('a picture in %s', (extension) => {
  it.each(CHANGES)('%s: %j', async (_name, changes, expected) => {
    const { file, data } = await transform(await save(await quarters(), extension), changes);
    expect(await look(file)).toBe(expected);
    expect(path.extname(file)).toBe(`.${extension}`);
    const { width, height } = await sharp(file).metadata();
    expect(data).toEqual({ width, height });
  });
});

it('counts pixels in the upright picture and leaves the orientation and the camera’s data out', async () => {
  // Stored lying on its left side.
  const photo = sharp(await (await quarters(40, 80)).rotate(270).png().toBuffer());
  const file = await save(photo.withMetadata({ orientation: 6 }).withExif({ IFD0: { Make: 'A camera' } }), 'jpg');
  const { file: output } = await transform(file, { crop: { x: 0, y: 40, width: 40, height: 40 } });
  expect(await look(output)).toBe('bwbw 40×40');
  const { orientation, exif } = await sharp(output).metadata();
  expect(orientation ?? 1).toBe(1);
  expect(exif?.toString('latin1') ?? '').not.toContain('A camera');
});

it('keeps what was transparent, and extends with nothing', async () => {
  const clear = {
    input: { create: { width: 40, height: 20, channels: 4 as const, background: '#000f' } },
    left: 0,
    top: 0,
  };
  const file = await save((await quarters()).ensureAlpha().composite([{ ...clear, blend: 'dest-out' }]), 'png');
  expect(await look((await transform(file, { rotate: 90 })).file)).toBe('b-wg 40×80');
  const extended = await transform(file, { expand: { right: 10, fill: 'transparent' } });
  expect(await look(extended.file)).toBe('--b- 90×40');
});

it('makes a PNG of a JPEG that gets transparent edges, and says so', async () => {
  const { file, data } = await transform(await save(await quarters(), 'jpg'), {
    expand: { left: 10, fill: 'transparent' },
  });
  expect([path.extname(file), await look(file)]).toEqual(['.png', '-g-w 90×40']);
  expect(data).toMatchObject({ changes: 'JPEG has no transparency: the result is a PNG.' });
});

it('extends with a blurred edge in the colors beside it, and changes no pixel of the picture', async () => {
  const source = await save(await quarters(160, 80), 'png');
  const { file } = await transform(source, { expand: { left: 40, right: 40, top: 20 } });
  expect(await look(file)).toBe('rgbw 240×100');
  const inner = await sharp(file).extract({ left: 40, top: 20, width: 160, height: 80 }).raw().toBuffer();
  expect(inner.equals(await sharp(source).raw().toBuffer())).toBe(true);
  expect((await sharp(file).metadata()).hasAlpha).toBe(false);
});

it('makes the mask of a larger canvas, white where it is new', async () => {
  const source = await save(await quarters(), 'jpg');
  const { file } = await transform(source, { expand: { left: 10, bottom: 20, fill: 'mask' } });
  expect([path.extname(file), await look(file)]).toEqual(['.png', 'wkww 90×60']);
  expect(await letterAt(file, 10, 39)).toBe('k');
  expect(await letterAt(file, 9, 39)).toBe('w');
  expect(await letterAt(file, 10, 40)).toBe('w');
});

it('keeps the color profile and its numbers', async () => {
  const source = await save((await quarters()).withIccProfile('p3'), 'png');
  const { icc } = await sharp(source).metadata();
  const { file } = await transform(source, { crop: { x: 0, y: 0, width: 40, height: 20 }, expand: { left: 8 } });
  expect((await sharp(file).metadata()).icc?.equals(icc ?? Buffer.of())).toBe(true);
  const at = (from: string, left: number) =>
    sharp(from, { ignoreIcc: true }).extract({ left, top: 5, width: 1, height: 1 }).removeAlpha().raw().toBuffer();
  expect(await at(file, 18)).toEqual(await at(source, 10));
});

it('keeps sixteen bits of a PNG and reads gray', async () => {
  const deep = await save((await quarters()).toColourspace('rgb16'), 'png');
  expect((await sharp((await transform(deep, { rotate: 90 })).file).metadata()).depth).toBe('ushort');
  const gray = await save((await quarters()).toColourspace('b-w'), 'jpg');
  expect(await sharp((await transform(gray, { rotate: 90 })).file).metadata()).toMatchObject({ width: 40, height: 80 });
});

describe.each(['gif', 'webp'])('an animated %s', (extension) => {
  it('keeps its frames and their times', async () => {
    const pictures = [await quarters(), (await quarters()).flop()].map((frame) => frame.png().toBuffer());
    const frames = await Promise.all(pictures);
    const joined = sharp(frames, { join: { animated: true } });
    const timing = { delay: [100, 300], loop: 2 };
    const source = await save(extension === 'gif' ? joined.gif(timing) : joined.webp(timing), extension);
    const { file, data } = await transform(source, { rotate: 90, resize: { height: 40 } });
    expect(await sharp(file).metadata()).toMatchObject({ pages: 2, ...timing });
    expect([await look(file, 0), await look(file, 1)]).toEqual(['brwg 20×40', 'wgbr 20×40']);
    expect(data).toEqual({ width: 20, height: 40 });
  });
});

it.each([
  [{ crop: { x: 41, y: 0, width: 40, height: 40 } }, 'The crop reaches past the image, which has 80 × 40 pixels'],
  [{ resize: {} }, 'Resizing needs a width or a height.'],
  [{ resize: { width: 16_000 } }, 'The result would have 16000 × 8000 pixels.'],
  [{ expand: { left: 16_383 } }, 'The result would have 16463 × 40 pixels.'],
  [{ expand: { left: 1, fill: 'pink' } }, 'The fill is no color.'],
])('rejects %j', async (changes, message) => {
  const file = await save(await quarters(), 'png');
  await expect(transform(file, changes)).rejects.toMatchObject({
    name: 'EngineError',
    code: 'invalid_media',
    message: expect.stringContaining(message),
  });
});

it('turns a photo of 50 megapixels', async () => {
  const photo = sharp({ create: { width: 8_000, height: 6_000, channels: 3, background: '#456' } });
  const { data } = await transform(await save(photo.jpeg(), 'jpg'), { rotate: 90, expand: { left: 100 } });
  expect(data).toEqual({ width: 6_100, height: 8_000 });
});
