import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readMarks } from '#server/platform/media/marks/read-marks.ts';
import {
  iptcBlock,
  manifestStore,
  markJpeg,
  markPng,
  markWebp,
  xmpPacket,
} from '#server/platform/media/testing/marks-fixture.ts';
import { convertImages } from './convert-image.ts';

let file: string;
beforeAll(async () => {
  file = join(await mkdtemp(join(tmpdir(), 'convert-')), 'image');
});
afterAll(() => rm(join(file, '..'), { recursive: true }));

const signal = new AbortController().signal;
const clear = () => sharp({ create: { width: 4, height: 4, channels: 4, background: '#0000' } });
const readFormat = async () => (await sharp(file).metadata()).format;

describe('converting an image', () => {
  it('makes a PNG of a JPEG and keeps its metadata', async () => {
    await writeFile(
      file,
      await clear()
        .flatten()
        .withExif({ IFD0: { Software: 'studio' } })
        .jpeg()
        .toBuffer(),
    );
    await convertImages([file], 'png', signal);
    expect(await readFormat()).toBe('png');
    expect(String((await sharp(file).metadata()).exif)).toContain('studio');
  });

  it('keeps XMP, the original with its credentials beside it, and names the IPTC data that a PNG cannot hold', async () => {
    const [store, packet] = [manifestStore('urn:c2pa:one', 150_000), xmpPacket('trainedAlgorithmicMedia')];
    const jpeg = await clear().flatten().withXmp(String(packet)).jpeg().toBuffer();
    await writeFile(file, markJpeg(jpeg, { c2pa: store, iptc: iptcBlock('by a model') }));
    const original = `${file}.source`;
    const kept = { originals: [original] };
    expect(await convertImages([file], 'png', signal)).toEqual({ ...kept, lost_marks: ['iptc'] });
    expect([await readFormat(), await readMarks(file)]).toEqual(['png', { xmp: packet }]);
    expect(await readMarks(original)).toEqual({ c2pa: store, xmp: packet });
    const image = await clear().webp().toBuffer();
    const sources = [
      markWebp(await sharp(image).withXmp(String(packet)).webp().toBuffer(), { c2pa: store }),
      markPng(await sharp(image).withXmp(String(packet)).png().toBuffer(), { c2pa: store }),
    ];
    for (const source of sources) {
      await writeFile(file, source);
      expect(await convertImages([file], 'jpeg', signal)).toEqual({ ...kept, lost_marks: [] });
      expect([await readFormat(), await readMarks(file)]).toEqual(['jpeg', { xmp: packet }]);
      expect((await readMarks(original)).c2pa).toEqual(store);
    }
  });

  it('puts a transparent image on white as a JPEG', async () => {
    await writeFile(file, await clear().png().toBuffer());
    await convertImages([file], 'jpeg', signal);
    expect(await readFormat()).toBe('jpeg');
    expect((await sharp(file).stats()).channels.map(({ min }) => min)).toEqual([255, 255, 255]);
  });

  it.each([
    ['an image in the format', () => clear().png().toBuffer()],
    ['a file that is no image', async () => Buffer.from('<html>')],
  ])('leaves %s as it is', async (_name, create) => {
    const bytes = await create();
    await writeFile(file, bytes);
    expect(await convertImages([file], 'png', signal)).toEqual({ originals: [null], lost_marks: [] });
    expect((await readFile(file)).equals(bytes)).toBe(true);
  });

  it('rejects with the abort reason', async () => {
    const reason = new Error('canceled');
    await expect(convertImages([file], 'jpeg', AbortSignal.abort(reason))).rejects.toBe(reason);
  });
});
