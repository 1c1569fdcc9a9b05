import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runFfmpeg } from './ffmpeg.ts';
import { flags } from './flags.ts';
import { readMarks } from './marks/read-marks.ts';
import { resolveMediaTools, type MediaTools } from './media-tools.ts';
import { probeFile } from './probe-file.ts';
import { sniffFile } from './sniff.ts';
import { manifestStore, markJpeg, markPng } from './testing/marks-fixture.ts';
import {
  apeTag,
  box,
  createWav,
  id3v1,
  id3v2,
  longLengths,
  riffChunk,
  withGifComment,
  withJpegSegment,
  withPngChunk,
} from './testing/odd-files-fixture.ts';

let tools: MediaTools;
let folder: string;
const base: Record<string, Buffer> = {};
const of = (name: string): Buffer => base[name] ?? Buffer.alloc(0);

beforeAll(async () => {
  tools = await resolveMediaTools();
  folder = await mkdtemp(path.join(tmpdir(), 'real-'));
  const noise = { create: { width: 64, height: 36, channels: 3 as const, background: '#246' } };
  for (const format of ['png', 'jpeg', 'webp', 'gif'] as const)
    base[format] = await sharp(noise).toFormat(format).toBuffer();
  base['cmyk'] = await sharp(noise).toColourspace('cmyk').jpeg({ progressive: true }).toBuffer();
  base['deep'] = await sharp(noise).toColourspace('rgb16').png({ progressive: true }).toBuffer();
  base['noise'] = await sharp({ create: { ...noise.create, noise: { type: 'gaussian', mean: 128, sigma: 60 } } })
    .png()
    .toBuffer();
  const exif = { IFD0: { ImageDescription: MARKUP, UserComment: MARKUP } };
  base['avif'] = await sharp(noise).withExif(exif).avif({ effort: 0 }).toBuffer();
  const outputs = {
    'a.mp3': '-map 1 -c:a libmp3lame',
    'a.flac': '-map 1',
    'a.aac': '-map 1',
    'a.ogg': `-map 1 -c:a libvorbis -metadata comment=${MARKUP}`,
    'oga.ogg': '-map 1 -c:a flac',
    'a.mp4': `-map 0 -map 1 -c:v libx264 -preset ultrafast -c:a aac -metadata comment=${MARKUP} -movflags +faststart`,
    'fragments.mp4': '-map 0 -map 1 -c:v libx264 -preset ultrafast -c:a aac -movflags frag_keyframe+empty_moov',
    'live.webm': `-map 0 -map 1 -c:v libvpx -deadline realtime -cpu-used 8 -c:a libopus -metadata comment=${MARKUP} -live 1`,
  };
  const args = Object.entries(outputs).flatMap(([name, line]) => [...flags(line), `file:${path.join(folder, name)}`]);
  const inputs = flags('-f lavfi -i testsrc2=s=64x36:r=10:d=1 -f lavfi -i sine=d=1');
  await runFfmpeg(tools, { args: [...inputs, ...args], trusted: true });
  for (const name of Object.keys(outputs)) base[name] = await readFile(path.join(folder, name));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const MARKUP = '<body_type><iframe/src=x></iframe><script>alert(1)</script><svg/onload=alert(1)>javascript:';
const text = (before = ''): Buffer => Buffer.from(`${before}${MARKUP}`, 'latin1');
const ZEROS = Buffer.alloc(18);
const join = (...parts: readonly Buffer[]): Buffer => Buffer.concat(parts);

async function write(bytes: Buffer): Promise<string> {
  const file = path.join(folder, 'probed');
  await writeFile(file, bytes);
  return file;
}
const probe = async (bytes: Buffer) => probeFile(tools, await write(bytes));

function credentialsWithIcon(): Buffer {
  const icon = Buffer.from('<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"><script>1</script></svg>');
  const store = join(manifestStore('urn:c2pa:icon'), box('bidb', icon));
  store.writeUInt32BE(store.length, 0);
  return store;
}

describe('accepts images', () => {
  it.each<[string, string, () => Buffer]>([
    ['PNG with markup in tEXt', 'image/png', () => withPngChunk(of('png'), 'tEXt', text('prompt\0'))],
    ['PNG with markup in iTXt', 'image/png', () => withPngChunk(of('png'), 'iTXt', text('workflow\0\0\0\0\0'))],
    ['PNG with markup in a chunk of an editor', 'image/png', () => withPngChunk(of('png'), 'prVt', text())],
    ['PNG with zeros after its end', 'image/png', () => join(of('png'), ZEROS)],
    ['PNG with a line break after its end', 'image/png', () => join(of('png'), Buffer.from('\r\n'))],
    ['PNG with the rest of an older one after its end', 'image/png', () => join(of('png'), of('png').subarray(50))],
    ['PNG without its end', 'image/png', () => of('png').subarray(0, -12)],
    ['PNG whose end was cut', 'image/png', () => of('png').subarray(0, -4)],
    ['PNG of 16 bits, interlaced', 'image/png', () => of('deep')],
    ['GIF without its trailer', 'image/gif', () => of('gif').subarray(0, -1)],
    ['GIF with zeros after its trailer', 'image/gif', () => join(of('gif'), ZEROS)],
    ['GIF with zeros before its trailer', 'image/gif', () => join(of('gif').subarray(0, -1), Buffer.from('\0\0;'))],
    ['GIF with a line break after its trailer', 'image/gif', () => join(of('gif'), Buffer.from('\r\n'))],
    ['GIF with markup in a comment', 'image/gif', () => withGifComment(of('gif'), MARKUP)],
    ['JPEG with markup in EXIF', 'image/jpeg', () => withJpegSegment(of('jpeg'), 0xe1, text('Exif\0\0'))],
    ['JPEG with markup in a comment', 'image/jpeg', () => withJpegSegment(of('jpeg'), 0xfe, text())],
    [
      'JPEG with a second image, whose comment has markup',
      'image/jpeg',
      () => join(of('jpeg'), withJpegSegment(of('jpeg'), 0xfe, text())),
    ],
    ['JPEG with the video of a motion photo', 'image/jpeg', () => join(of('jpeg'), of('a.mp4'))],
    [
      'JPEG with a trailer of its camera',
      'image/jpeg',
      () => join(of('jpeg'), Buffer.from('\0\0\x01\x0aImage_UTC_Data1700000000000SEFHk\0\0\0\x01\0\0\0SEFT', 'latin1')),
    ],
    ['progressive CMYK JPEG', 'image/jpeg', () => of('cmyk')],
    [
      'WebP with markup in EXIF',
      'image/webp',
      () => webpWith(riffChunk('EXIF', join(text(), Buffer.alloc(text().length % 2)))),
    ],
    ['WebP with zeros after its end', 'image/webp', () => join(of('webp'), ZEROS)],
    ['AVIF with markup in EXIF', 'image/avif', () => of('avif')],
    ['AVIF of the brand mif1', 'image/avif', () => withMajorBrand(of('avif'), 'mif1')],
    ['AVIF of the brand miaf', 'image/avif', () => withMajorBrand(of('avif'), 'miaf')],
    ['AVIF of the brand of a sequence', 'image/avif', () => withMajorBrand(of('avif'), 'avis')],
    ['AVIF of the brand of a profile', 'image/avif', () => withMajorBrand(of('avif'), 'MA1B')],
  ])('%s', async (_name, mime_type, create) => {
    expect(await probe(create())).toMatchObject({ kind: 'image', mime_type, width: 64, height: 36 });
  });

  it.each([
    ['PNG', () => markPng(of('png'), { c2pa: credentialsWithIcon() })],
    ['JPEG', () => markJpeg(of('jpeg'), { c2pa: credentialsWithIcon() })],
  ])('%s whose content credentials have an SVG icon, which are read', async (_name, create) => {
    await probe(create());
    expect((await readMarks(path.join(folder, 'probed'))).c2pa?.equals(credentialsWithIcon())).toBe(true);
  });
});

function webpWith(chunk: Buffer): Buffer {
  const chunks = join(of('webp').subarray(8), chunk);
  return riffChunk('RIFF', chunks);
}

function withMajorBrand(avif: Buffer, brand: string): Buffer {
  const bytes = Buffer.from(avif);
  bytes.write(brand, 8, 'latin1');
  return bytes;
}

describe('accepts WAV', () => {
  const MEASURED = new Set(['with a placeholder of 0x7ffff000', 'with a placeholder of 0', 'with long lengths']);
  const EARLY = [riffChunk('LIST', join(Buffer.from('INFOICMT'), riffChunk('', text()), Buffer.alloc(1)))];
  it.each<[string, () => Buffer]>([
    ['with a placeholder of 0x7ffff000', () => createWav({ riffBytes: 0x7f_ff_f0_24, dataBytes: 0x7f_ff_f0_00 })],
    ['with a placeholder of 0x80000000', () => createWav({ riffBytes: 0x80_00_00_24, dataBytes: 0x80_00_00_00 })],
    ['with a placeholder of 0xffffffff', () => createWav({ riffBytes: 0xff_ff_ff_ff, dataBytes: 0xff_ff_ff_ff })],
    ['with a placeholder of 2,000,000,000', () => createWav({ riffBytes: 2_000_000_036, dataBytes: 2_000_000_000 })],
    ['with a placeholder of 0', () => createWav({ riffBytes: 0, dataBytes: 0 })],
    ['with a placeholder: the size of an empty file', () => createWav({ riffBytes: 36, dataBytes: 0 })],
    ['with an odd data chunk without its pad', () => createWav({ bits: 8, samples: 7_999 })],
    ['with a size that counts its own head', () => createWav({ riffBytes: 16_044 })],
    [
      'with an odd data chunk without its pad before a tag',
      () => createWav({ bits: 8, samples: 7_999, after: [riffChunk('LIST', Buffer.from('INFO'))] }),
    ],
    [
      'with an odd data chunk without its pad before a tag whose length looks like text',
      () =>
        createWav({
          bits: 8,
          samples: 7_999,
          after: [riffChunk('LIST', join(Buffer.from('INFO'), Buffer.alloc(0x5c), text()))],
        }),
    ],
    ['with markup in a list', () => createWav({ before: EARLY })],
    ['with markup in a tag after it', () => join(createWav(), id3v1(MARKUP))],
    ['with zeros after it', () => join(createWav(), ZEROS)],
    ['of the extensible format', () => createWav({ isExtensible: true })],
    [
      'with long lengths',
      () =>
        createWav({
          form: 'RF64',
          riffBytes: 0xff_ff_ff_ff,
          dataBytes: 0xff_ff_ff_ff,
          before: [longLengths(16_072, 16_000, 8_000)],
        }),
    ],
  ])('%s', async (name, create) => {
    const file = await write(create());
    expect(await sniffFile(file)).toMatchObject({
      format: 'wav',
      isLengthUnknown: name.startsWith('with a placeholder'),
    });
    // Each takes two processes.
    if (!MEASURED.has(name)) return;
    const media = await probeFile(tools, file);
    expect(media).toMatchObject({ kind: 'audio', mime_type: 'audio/wav' });
    expect(media.duration_seconds).toBeCloseTo(1, 2);
  });
});

describe('accepts audio and video', () => {
  it.each<[string, string, () => Buffer]>([
    [
      'MP3 with markup in its tags',
      'audio/mpeg',
      () => join(id3v2('TIT2', MARKUP), of('a.mp3'), apeTag('Title', MARKUP), id3v1(MARKUP)),
    ],
    ['FLAC with tags of MP3', 'audio/flac', () => join(id3v2('TIT2', MARKUP), of('a.flac'), id3v1(MARKUP))],
    ['AAC with tags of MP3', 'audio/aac', () => join(id3v2('TIT2', MARKUP), of('a.aac'), id3v1('x'))],
    ['Ogg with markup in a comment, and zeros after it', 'audio/ogg', () => join(of('a.ogg'), ZEROS)],
    ['FLAC in Ogg', 'audio/ogg', () => of('oga.ogg')],
    ['MP4 with markup in a comment, and zeros after it', 'video/mp4', () => join(of('a.mp4'), ZEROS)],
    ['MP4 with a note after it', 'video/mp4', () => join(of('a.mp4'), Buffer.from('end of the file'))],
    ['MP4 in fragments', 'video/mp4', () => of('fragments.mp4')],
    ['WebM of a recorder with markup in a tag', 'video/webm', () => of('live.webm')],
  ])('%s', async (_name, mime_type, create) => {
    const media = await probe(create());
    expect(media.mime_type).toBe(mime_type);
    expect(Math.abs((media.duration_seconds ?? 0) - 1)).toBeLessThan(0.1);
  });
});

describe('rejects as foreign', () => {
  const PAGE = Buffer.from('<!DOCTYPE html><html><script>alert(1)</script></html>');
  const ZIP_END = join(Buffer.from('PK\x05\x06', 'latin1'), Buffer.alloc(18));
  it.each<[string, () => Buffer]>([
    ['a page after a PNG', () => join(of('png'), PAGE)],
    ['a page after a PNG and zeros', () => join(of('png'), Buffer.alloc(70_000), PAGE, Buffer.alloc(70_000))],
    ['a drawing after a JPEG', () => join(of('jpeg'), Buffer.from('<svg onload=alert(1)>'))],
    ['a page after a JPEG and zeros', () => join(of('jpeg'), Buffer.alloc(70_000), PAGE, Buffer.alloc(70_000))],
    ['a script after a GIF', () => join(of('gif'), Buffer.from('=1;alert(1)'))],
    ['a script after a GIF without its trailer', () => join(of('gif').subarray(0, -1), Buffer.from('\0=1;alert(1)'))],
    ['a page after a WebP', () => join(of('webp'), PAGE)],
    ['a page after an AVIF', () => join(of('avif'), PAGE)],
    [
      'a page in a part of a WAV that is skipped',
      () => createWav({ before: [riffChunk('JUNK', join(PAGE, Buffer.alloc(1)))] }),
    ],
    ['a page after a WAV', () => join(createWav(), PAGE)],
    ['a page after an Ogg', () => join(of('a.ogg'), PAGE)],
    ['a page after a recording', () => join(of('live.webm'), PAGE)],
    ['a page after an MP3 before its tag', () => join(of('a.mp3'), PAGE, id3v1('x'))],
    ['a page in a part of an MP4 that is skipped', () => join(of('a.mp4'), box('free', PAGE))],
    ['an archive after an MP4', () => join(of('a.mp4'), ZIP_END)],
    ['an archive after a PNG', () => join(of('png'), ZIP_END)],
    ['an archive in a chunk of a PNG', () => withPngChunk(of('png'), 'prVt', ZIP_END)],
  ])('%s', async (_name, create) => {
    await expect(probe(create())).rejects.toMatchObject({
      name: 'MediaError',
      message: expect.stringMatching(/other data|incomplete/),
    });
  });

  it('names a HEIC image by its brands', async () => {
    const heic = join(box('ftyp', Buffer.from('mif1\0\0\0\0mif1heic', 'latin1')), box('meta', Buffer.alloc(4)));
    for (const brand of ['mif1', 'heic', 'heix', 'hevc', 'heim', 'msf1'])
      await expect(probe(withMajorBrand(heic, brand))).rejects.toThrow('This is a HEIC image');
  });

  it('truncated PNG whose chunks are whole', async () => {
    const data = of('noise').indexOf('IDAT', 0, 'latin1') - 4;
    const rows = of('noise').readUInt32BE(data);
    const half = Buffer.from(of('noise').subarray(data + 8, data + 8 + rows / 2));
    await expect(probe(withPngChunk(of('noise').subarray(0, 33), 'IDAT', half))).rejects.toThrow(
      'damaged or incomplete',
    );
  });

  it('truncated WAV of a plausible length', async () => {
    const wav = createWav();
    await expect(probe(wav.subarray(0, wav.length / 2))).rejects.toThrow('incomplete');
    await expect(probe(createWav({ dataBytes: 400_000_000 }))).rejects.toThrow('incomplete');
  });
});
