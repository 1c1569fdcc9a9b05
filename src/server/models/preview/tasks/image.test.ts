import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { inputContract, modelsForTask } from '#contract/catalog.ts';
import { openPreviewFixture, type PreviewFixture } from '#server/models/engine/testing/preview-fixture.ts';

let studio: PreviewFixture;
beforeAll(async () => {
  studio = await openPreviewFixture();
});
afterAll(() => studio.close());

const PROMPT = 'a lighthouse by the sea at dusk';
const pixelsOf = (file: string): Promise<Buffer> => sharp(file).ensureAlpha().raw().toBuffer();

test.each(modelsForTask('image.create'))('%s makes a picture from its defaults', async (model) => {
  const fields = inputContract('image.create', model)?.fields ?? [];
  const defaults = Object.fromEntries(
    fields.flatMap((field) => ('default' in field ? [[field.name, field.default]] : [])),
  );
  const made = await studio.run('image.create', model, { prompt: PROMPT, ...defaults });
  expect(made.media).toMatchObject({ mime_type: 'image/png', width: 1024, height: 1024 });
  expect(made.data).toMatchObject({ engine: 'preview', width: 1024, height: 1024, composition: 'landscape' });
});

describe('size and format', () => {
  test.each([
    ['imgmodel-b-2', { aspect_ratio: '8:1', resolution: '1K' }, 2896, 360],
    ['imgmodel-b-2', { aspect_ratio: '1:8', resolution: '1K' }, 360, 2896],
    ['imgmodel-a-2', { aspect_ratio: '9:21', resolution: '1K' }, 672, 1568],
    ['imgmodel-a-2.5-flare', { size: '1536x1024', quality: 'max' }, 1536, 1024],
    ['imgmodel-b-pro', { aspect_ratio: '21:9', resolution: '2K' }, 3128, 1344],
  ] as const)('%s %j → %d × %d', async (model, input, width, height) => {
    const made = await studio.run('image.create', model, { prompt: PROMPT, ...input });
    expect(made.media).toMatchObject({ width, height });
  });

  test('jpeg, marked as a preview', async () => {
    const made = await studio.run('image.create', 'imgmodel-b-2', {
      prompt: PROMPT,
      aspect_ratio: '4:1',
      output_format: 'jpeg',
    });
    expect(made.media.mime_type).toBe('image/jpeg');
    const { exif, xmp } = await sharp(made.file).metadata();
    expect(exif?.toString('latin1')).toContain('Emulsion preview engine');
    expect(xmp?.toString()).toContain('algorithmicMedia');
  });

  test('reports the quality used', async () => {
    const made = await studio.run('image.create', 'imgmodel-a-2.5-flare', {
      prompt: PROMPT,
      size: '1024x1024',
      quality: 'auto',
    });
    expect(made.data).toMatchObject({ quality: 'high' });
  });
});

test('differs between generations and repeats for a rerun', async () => {
  const run = async (
    prompt: string,
    model: 'imgmodel-b-2' | 'imgmodel-b-pro',
    generation_id: string,
  ): Promise<Buffer> =>
    readFile((await studio.run('image.create', model, { prompt, aspect_ratio: '1:1' }, {}, { generation_id })).file);
  const [one, rerun, next, other, elsewhere] = [
    await run(PROMPT, 'imgmodel-b-2', 'gen_1'),
    await run(PROMPT, 'imgmodel-b-2', 'gen_1'),
    await run(PROMPT, 'imgmodel-b-2', 'gen_2'),
    await run('a forest', 'imgmodel-b-2', 'gen_1'),
    await run(PROMPT, 'imgmodel-b-pro', 'gen_1'),
  ];
  expect(one.equals(rerun)).toBe(true);
  expect(one.equals(next)).toBe(false);
  expect(one.equals(other)).toBe(false);
  expect(one.equals(elsewhere)).toBe(false);
});

test.each(['glossy spheres', 'a mountain lake', 'a rose', 'portrait of a woman', 'abstract silk', 'poster'])(
  '%s on a transparent background',
  async (prompt) => {
    const made = await studio.run('image.create', 'imgmodel-a-2', {
      prompt,
      aspect_ratio: '1:1',
      background: 'transparent',
    });
    const pixels = await pixelsOf(made.file);
    let clear = 0;
    let solid = 0;
    for (let at = 3; at < pixels.length; at += 4) {
      if (pixels[at] === 0) clear += 1;
      else if ((pixels[at] ?? 0) > 90) solid += 1;
    }
    expect(clear / (pixels.length / 4)).toBeGreaterThan(0.12);
    expect(solid / (pixels.length / 4)).toBeGreaterThan(0.05);
    expect(pixels[3]).toBe(0);
  },
);

test('an opaque image has no alpha channel', async () => {
  const made = await studio.run('image.create', 'imgmodel-a-2', {
    prompt: PROMPT,
    aspect_ratio: '2:1',
    background: 'opaque',
  });
  expect((await sharp(made.file).metadata()).channels).toBe(3);
});

describe('references', () => {
  test('appear in the image and set its ratio and colors', async () => {
    const red = await studio.createPicture('red.png', '600x300', '#e01010');
    const blue = await studio.createPicture('blue.png', '300x300', '#1010e0');
    const made = await studio.run(
      'image.create',
      'imgmodel-b-2',
      { prompt: 'hills', aspect_ratio: 'auto' },
      { 'reference_images.0': red, 'reference_images.1': blue },
    );
    expect(made.media).toMatchObject({ width: 1448, height: 728 });
    expect(made.data).toMatchObject({ references_shown: 2 });
    const pixels = await pixelsOf(made.file);
    let reds = 0;
    let blues = 0;
    for (let at = 0; at < pixels.length; at += 4) {
      const [r = 0, g = 0, b = 0] = pixels.subarray(at, at + 3);
      if (r > 190 && g < 60 && b < 60) reds += 1;
      if (b > 190 && r < 60 && g < 60) blues += 1;
    }
    expect(reds / (pixels.length / 4)).toBeGreaterThan(0.08);
    expect(blues / (pixels.length / 4)).toBeGreaterThan(0.04);
  });
});

describe('edits', () => {
  const half = async (name: string): Promise<string> => {
    const file = `${studio.folder}/${name}`;
    const white = await sharp({ create: { width: 200, height: 200, channels: 3, background: '#f0f0f0' } })
      .png()
      .toBuffer();
    await sharp({ create: { width: 400, height: 200, channels: 3, background: '#c02020' } })
      .composite([{ input: white, left: 200, top: 0 }])
      .png()
      .toFile(file);
    return file;
  };
  const edit = async (prompt: string, input: Record<string, unknown> = {}): ReturnType<PreviewFixture['run']> =>
    studio.run(
      'image.edit',
      'imgmodel-a-2',
      { prompt, aspect_ratio: 'auto', resolution: '1K', ...input },
      { 'images.0': await half('half.png') },
    );
  const at = async (file: string, x: number, y: number): Promise<number[]> => {
    const { data, info } = await sharp(file).removeAlpha().raw().toBuffer({ resolveWithObject: true });
    const index = (Math.floor(y * info.height) * info.width + Math.floor(x * info.width)) * 3;
    return [...data.subarray(index, index + 3)];
  };

  test('keep the ratio of the source, which stays recognizable', async () => {
    const made = await edit('warmer, like an evening');
    expect(made.media).toMatchObject({ width: 1448, height: 728 });
    const [red = 0, green = 0] = await at(made.file, 0.2, 0.3);
    expect(red - green).toBeGreaterThan(60);
    const bright = await at(made.file, 0.8, 0.3);
    expect(Math.min(...bright)).toBeGreaterThan(150);
    expect(bright).not.toEqual([240, 240, 240]);
  });
  test('show further images', async () => {
    const green = await studio.createPicture('green.png', '200x200', '#10e010');
    const made = await studio.run(
      'image.edit',
      'imgmodel-a-2',
      { prompt: 'with this', aspect_ratio: '1:1' },
      { 'images.0': await half('base.png'), 'images.1': green },
    );
    expect(made.data).toMatchObject({ references_shown: 1 });
    const [red = 0, shown = 0] = await at(made.file, 0.5, 0.48);
    expect(shown - red).toBeGreaterThan(150);
  });
  test('change the pixels that the mask marks and no other', async () => {
    const source = `${studio.folder}/noise.png`;
    const noise = Buffer.from(Array.from({ length: 300 * 200 * 3 }, (_, index) => (index * 7919) % 251));
    await sharp(noise, { raw: { width: 300, height: 200, channels: 3 } })
      .png()
      .toFile(source);
    const marked = { left: 40, top: 30, width: 100, height: 80 };
    const white = { create: { width: marked.width, height: marked.height, channels: 3, background: '#fff' } } as const;
    const mask = `${studio.folder}/mask.png`;
    await sharp({ create: { width: 300, height: 200, channels: 3, background: '#000' } })
      .composite([{ input: await sharp(white).png().toBuffer(), left: marked.left, top: marked.top }])
      .png()
      .toFile(mask);
    const input = { prompt: 'red', aspect_ratio: '1:1', resolution: '1K' };
    const made = await studio.run('image.edit', 'imgmodel-a-2', input, { 'images.0': source, mask });
    expect(made.media).toMatchObject({ width: 300, height: 200 });
    expect(made.data).toMatchObject({ engine: 'preview' });
    expect((await sharp(made.file).metadata()).xmp?.toString()).toContain('algorithmicMedia');
    const [before, after] = await Promise.all([pixelsOf(source), pixelsOf(made.file)]);
    let changed = 0;
    for (let at = 0; at < before.length; at += 4) {
      if (before.readUInt32BE(at) === after.readUInt32BE(at)) continue;
      changed += 1;
      const [x, y] = [(at / 4) % 300, Math.floor(at / 4 / 300)];
      expect(x >= 40 && x < 140 && y >= 30 && y < 110, `${x} × ${y}`).toBe(true);
    }
    expect(changed).toBeGreaterThan(7_500);
  });
  test('keep the middle of an opaque picture on a transparent background', async () => {
    const made = await studio.run(
      'image.edit',
      'imgmodel-a-2',
      { prompt: 'sticker', aspect_ratio: '1:1', background: 'transparent' },
      { 'images.0': await half('opaque.png') },
    );
    const { data } = await sharp(made.file)
      .ensureAlpha()
      .extractChannel('alpha')
      .raw()
      .toBuffer({ resolveWithObject: true });
    expect(data[5]).toBe(0);
    expect(data[512 * 1024 + 512]).toBe(255);
  });
});

describe.each([
  ['nobody can describe this', 'Latin'],
  ['安静而缓慢的东西，像时间一样', 'Chinese'],
  ['조용하고 느린 것', 'Korean'],
  ['شيء هادئ وبطيء', 'Arabic'],
  ['ความเงียบที่ยาวนาน', 'Thai'],
])('a prompt without a known word: %s', (prompt) => {
  test('is set in its own script', async () => {
    const made = await studio.run('image.create', 'imgmodel-a-2', {
      prompt,
      aspect_ratio: '1:1',
      background: 'transparent',
    });
    expect(made.data).toMatchObject({ composition: 'typography' });
    const pixels = await pixelsOf(made.file);
    const missing = await studio.run('image.create', 'imgmodel-a-2', {
      prompt: [...prompt].map((char) => (/\p{L}/u.test(char) ? '\u{10FFFD}' : char)).join(''),
      aspect_ratio: '1:1',
      background: 'transparent',
    });
    let light = 0;
    for (let index = 0; index < pixels.length; index += 4)
      if ((pixels[index] ?? 0) > 200 && pixels[index + 3] === 255) light += 1;
    expect(light).toBeGreaterThan(2_000);
    expect(pixels.equals(await pixelsOf(missing.file))).toBe(false);
  });
});

describe('abort', () => {
  test('stops before the image is drawn and leaves no file', async () => {
    const stop = new AbortController();
    const progress: number[] = [];
    const jobFolders = async () => (await readdir(studio.folder)).filter((name) => name.startsWith('job-'));
    const before = new Set(await jobFolders());
    const running = studio.run(
      'image.create',
      'imgmodel-a-2',
      { prompt: PROMPT, aspect_ratio: '16:9', resolution: '4K' },
      {},
      {
        signal: stop.signal,
        onProgress: (fraction) => {
          progress.push(fraction);
          stop.abort(new Error('stopped'));
        },
      },
    );
    await expect(running).rejects.toThrow('stopped');
    expect(progress).toEqual([0.1]);
    const added = (await jobFolders()).filter((name) => !before.has(name));
    expect(added).toHaveLength(1);
    await expect.poll(() => readdir(path.join(studio.folder, added[0] ?? ''))).toEqual([]);
  });

  test('rejects a file that is not an image', async () => {
    const broken = await studio.createPicture('broken.png', '64x64', '#123456');
    const intact = await studio.run(
      'image.create',
      'imgmodel-b-2',
      { prompt: PROMPT },
      { 'reference_images.0': broken },
    );
    expect(intact.media).toMatchObject({ mime_type: 'image/png' });
    await writeFile(broken, 'not a picture');
    await expect(
      studio.run('image.create', 'imgmodel-b-2', { prompt: PROMPT }, { 'reference_images.0': broken }),
    ).rejects.toThrow();
  });
});
