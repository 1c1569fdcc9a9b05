import { mkdtemp, open, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runFfmpeg } from '#server/platform/media/ffmpeg.ts';
import { type MediaTools, resolveMediaTools } from '#server/platform/media/media-tools.ts';
import { probeFile } from '#server/platform/media/probe-file.ts';
import {
  id3Tag,
  manifestStore,
  markJpeg,
  markMp4,
  markWav,
  xmpPacket,
} from '#server/platform/media/testing/marks-fixture.ts';
import { createTestSigner, type TestSigner } from '#server/platform/media/testing/sign-fixture.ts';
import { readMarks } from './read-marks.ts';
import { stripCredentials } from './strip-credentials.ts';

let folder = '';
let tools: MediaTools;
let signer: TestSigner;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'emulsion-strip-'));
  tools = await resolveMediaTools();
  signer = await createTestSigner();
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const VIDEO = '-f lavfi -i testsrc=s=64x36:r=10:d=2 -f lavfi -i sine=d=2 -c:v libx264 -pix_fmt yuv420p -c:a aac';
const SOUND = '-f lavfi -i sine=d=2';
const PICTURE = '-f lavfi -i testsrc=s=64x36 -frames:v 1 -update 1';

/** How ffmpeg makes a file of each format, by its extension. */
const FORMATS = {
  png: ['image/png', PICTURE],
  jpg: ['image/jpeg', PICTURE],
  webp: ['image/webp', PICTURE],
  mp4: ['video/mp4', `${VIDEO} -movflags +faststart`],
  mov: ['video/quicktime', VIDEO],
  m4a: ['audio/mp4', `${SOUND} -c:a aac`],
  mp3: ['audio/mpeg', `${SOUND} -c:a libmp3lame`],
  wav: ['audio/wav', `${SOUND} -c:a pcm_s16le`],
} as const;
type Extension = keyof typeof FORMATS;

async function make(extension: Extension, args: string = FORMATS[extension][1]): Promise<string> {
  const file = join(folder, `made.${extension}`);
  await runFfmpeg(tools, { args: ['-y', ...args.split(' '), file], trusted: true });
  return file;
}
async function write(name: string, bytes: Uint8Array): Promise<string> {
  const file = join(folder, name);
  await writeFile(file, bytes);
  return file;
}
async function strip(file: string): Promise<Buffer> {
  const handle = await open(file);
  try {
    const pieces: Buffer[] = [];
    for await (const piece of stripCredentials(handle)) pieces.push(piece);
    return Buffer.concat(pieces);
  } finally {
    await handle.close();
  }
}
/** Checksums of all decoded frames and samples. */
async function decode(file: string): Promise<string> {
  const sums = `${file}.md5`;
  await runFfmpeg(tools, { args: ['-y', '-i', file, '-f', 'framemd5', sums], trusted: true });
  return readFile(sums, 'utf8');
}

describe('a file that the library signed twice', () => {
  it.each(Object.keys(FORMATS) as Extension[])(
    '%s: loses every manifest and still decodes the same',
    async (extension) => {
      const [mime_type] = FORMATS[extension];
      const source = await make(extension);
      const once = await signer.sign(await readFile(source), mime_type);
      const signed = await write(`signed.${extension}`, await signer.sign(once, mime_type, once));
      expect(await signer.countManifests(await readFile(signed), mime_type)).toBe(2);
      expect((await readMarks(signed)).c2pa).toBeInstanceOf(Buffer);

      const bytes = await strip(signed);
      const stripped = await write(`stripped.${extension}`, bytes);
      expect(await signer.countManifests(bytes, mime_type)).toBeNull();
      expect(await readMarks(stripped)).not.toHaveProperty('c2pa');
      expect(bytes.includes('jumdc2pa')).toBe(false);
      const { size_bytes: _size, ...info } = await probeFile(tools, stripped);
      const { size_bytes: _own, ...own } = await probeFile(tools, source);
      expect(info).toEqual(own);
      expect(await decode(stripped)).toBe(await decode(source));
    },
  );
});

describe('what is no manifest', () => {
  const marks = { c2pa: manifestStore('one', 150_000), xmp: xmpPacket('trainedAlgorithmicMedia') };

  it('a file without credentials is unchanged', async () => {
    for (const extension of ['png', 'mp4', 'mp3'] as const) {
      const file = await make(extension);
      expect((await strip(file)).equals(await readFile(file))).toBe(true);
    }
    const other = await write('other.gif', Buffer.from('GIF89a…'));
    expect((await strip(other)).equals(await readFile(other))).toBe(true);
    expect(await strip(await write('empty', Buffer.alloc(0)))).toHaveLength(0);
  });

  it('MP4: XMP stays; a box before it becomes free space, so that no offset changes, and one at the end is cut', async () => {
    const file = await make('mp4');
    const bare = await readFile(file);
    await markMp4(file, { c2pa: marks.c2pa });
    expect((await strip(file)).equals(bare)).toBe(true);
    await markMp4(file, { xmp: marks.xmp });
    const marked = await readFile(file);
    const bytes = await strip(file);
    expect(bytes).toHaveLength(marked.length);
    expect(bytes.toString('latin1', bare.length + 4, bare.length + 8)).toBe('free');
    expect(bytes.subarray(bare.length + 8, bare.length + 8 + marks.c2pa.length).every((byte) => byte === 0)).toBe(true);
    const stripped = await write('stripped.mp4', bytes);
    expect(await readMarks(stripped)).toEqual({ xmp: marks.xmp });
  });

  it('WAV: XMP stays, and the size at the start is that of the rest', async () => {
    const file = await make('wav');
    await markWav(file, marks);
    const bytes = await strip(file);
    expect(bytes.readUInt32LE(4)).toBe(bytes.length - 8);
    expect(await readMarks(await write('stripped.wav', bytes))).toEqual({ xmp: marks.xmp });
  });

  it('MP3: XMP stays with the rest of the tag, and a tag without other frames is cut', async () => {
    const frames = await readFile(await make('mp3', `${SOUND} -c:a libmp3lame -id3v2_version 0`));
    const both = await write('both.mp3', Buffer.concat([id3Tag(marks), frames]));
    const bytes = await strip(both);
    expect(bytes.equals(Buffer.concat([id3Tag({ xmp: marks.xmp }), frames]))).toBe(true);
    const only = await write('only.mp3', Buffer.concat([id3Tag({ c2pa: marks.c2pa }), frames]));
    expect((await strip(only)).equals(frames)).toBe(true);
  });

  it('JPEG: other boxes and metadata stay', async () => {
    const picture = await sharp({ create: { width: 8, height: 8, channels: 3, background: '#735' } })
      .withXmp(marks.xmp.toString())
      .jpeg()
      .toBuffer();
    const other = Buffer.from(marks.c2pa);
    other.write('abcd', 16, 'latin1');
    // The number of the box tells its segments from those of the manifest store.
    const ofOther = markJpeg(picture, { c2pa: other });
    for (let at = ofOther.indexOf('JP\0\x01', 0, 'latin1'); at >= 0; at = ofOther.indexOf('JP\0\x01', at + 1, 'latin1'))
      ofOther[at + 3] = 2;
    const file = await write('both.jpg', markJpeg(ofOther, { c2pa: marks.c2pa }));
    expect((await readMarks(file)).c2pa?.equals(marks.c2pa)).toBe(true);
    expect((await strip(file)).equals(ofOther)).toBe(true);
  });

  it('a damaged file ends where it ends', async () => {
    for (const extension of ['png', 'webp', 'mp3'] as const) {
      const [mime_type] = FORMATS[extension];
      const signed = await signer.sign(await readFile(await make(extension)), mime_type);
      const at = signed.indexOf('jumdc2pa') + 100;
      const file = await write(`cut.${extension}`, signed.subarray(0, at));
      const bytes = await strip(file);
      expect(bytes.length).toBeLessThanOrEqual(at);
    }
  });
});
