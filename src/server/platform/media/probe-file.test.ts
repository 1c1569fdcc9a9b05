import { mkdtemp, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runFfmpeg } from './ffmpeg.ts';
import { flags } from './flags.ts';
import { resolveMediaTools, type MediaTools } from './media-tools.ts';
import { probeFile } from './probe-file.ts';
import { createAnimationBomb, createPngBomb } from './testing/image-bomb-fixture.ts';

let tools: MediaTools;
let folder: string;
const files: Record<string, string> = {};

const PICTURE = '-f lavfi -i testsrc2=s=160x90:r=25:d=2';
const TONE = '-f lavfi -i sine=d=2';
const X264 = '-c:v libx264 -preset ultrafast -g 25 -pix_fmt yuv420p';
const MADE = {
  'a.png': `${PICTURE} -frames:v 1`,
  'a.jpg': `${PICTURE} -frames:v 1`,
  'a.webp': `${PICTURE} -frames:v 1 -c:v libwebp`,
  'moving.webp': `${PICTURE} -t 0.4 -c:v libwebp_anim`,
  'a.gif': `${PICTURE} -t 0.4`,
  'a.mp4': `${PICTURE} ${TONE} ${X264} -c:a aac`,
  'fast.mp4': `${PICTURE} ${TONE} ${X264} -c:a aac -movflags +faststart`,
  'fragments.mp4': `${PICTURE} ${X264} -movflags frag_keyframe+empty_moov`,
  'a.mov': `${PICTURE} ${X264}`,
  'a.mkv': `${PICTURE} ${TONE} ${X264} -c:a aac`,
  'a.webm': `${PICTURE} ${TONE} -c:v libvpx -deadline realtime -cpu-used 8 -c:a libopus`,
  'live.webm': `${PICTURE} -c:v libvpx -deadline realtime -cpu-used 8 -live 1 -f webm`,
  'sound.webm': `${TONE} -c:a libopus`,
  'a.mp3': TONE,
  'a.wav': TONE,
  'a.m4a': TONE,
  'a.aac': TONE,
  'a.flac': TONE,
  'a.ogg': `${TONE} -c:a libvorbis`,
  'opus.ogg': `${TONE} -c:a libopus`,
} as const;

beforeAll(async () => {
  tools = await resolveMediaTools();
  folder = await mkdtemp(path.join(tmpdir(), 'probe-'));
  for (const [name, line] of Object.entries(MADE)) files[name] = await make(name, line);
  files['a.avif'] = path.join(folder, 'a.avif');
  await sharp(files['a.png']).avif({ effort: 0 }).toFile(files['a.avif']);
}, 120_000);
afterAll(() => rm(folder, { recursive: true, force: true }));

async function make(name: string, line: string): Promise<string> {
  const file = path.join(folder, name);
  await runFfmpeg(tools, { args: [...flags(line), `file:${file}`], trusted: true });
  return file;
}
const probe = (file = '') => probeFile(tools, file);
const written = async (name: string, bytes: string | Uint8Array): Promise<string> => {
  const file = path.join(folder, name);
  await writeFile(file, bytes);
  return file;
};
const refusal = (message: RegExp = /^[A-Z].*\.$/) =>
  expect.objectContaining({ name: 'MediaError', code: 'invalid_media', message: expect.stringMatching(message) });

describe('probeFile detects', () => {
  it.each([
    ['a.png', 'image/png', 'png'],
    ['a.jpg', 'image/jpeg', 'jpg'],
    ['a.webp', 'image/webp', 'webp'],
    ['moving.webp', 'image/webp', 'webp'],
    ['a.gif', 'image/gif', 'gif'],
    ['a.avif', 'image/avif', 'avif'],
  ])('%s', async (name, mime_type, extension) => {
    const size = (await readFile(files[name] ?? '')).length;
    expect(await probe(files[name])).toEqual({
      kind: 'image',
      mime_type,
      extension,
      size_bytes: size,
      width: 160,
      height: 90,
      duration_seconds: null,
      fps: null,
      has_audio: false,
    });
  });

  it.each([
    ['a.mp4', 'video/mp4', 'mp4', true],
    ['fast.mp4', 'video/mp4', 'mp4', true],
    ['fragments.mp4', 'video/mp4', 'mp4', false],
    ['a.mov', 'video/quicktime', 'mov', false],
    ['a.mkv', 'video/x-matroska', 'mkv', true],
    ['a.webm', 'video/webm', 'webm', true],
    ['live.webm', 'video/webm', 'webm', false],
  ])('%s', async (name, mime_type, extension, has_audio) => {
    expect(await probe(files[name])).toMatchObject({
      kind: 'video',
      mime_type,
      extension,
      width: 160,
      height: 90,
      fps: 25,
      has_audio,
      duration_seconds: expect.closeTo(2, 2),
    });
  });

  it.each([
    ['a.mp3', 'audio/mpeg', 'mp3'],
    ['a.wav', 'audio/wav', 'wav'],
    ['a.m4a', 'audio/mp4', 'm4a'],
    ['a.aac', 'audio/aac', 'aac'],
    ['a.flac', 'audio/flac', 'flac'],
    ['a.ogg', 'audio/ogg', 'ogg'],
    ['opus.ogg', 'audio/ogg', 'ogg'],
    ['sound.webm', 'audio/webm', 'webm'],
  ])('%s', async (name, mime_type, extension) => {
    const media = await probe(files[name]);
    expect(media).toMatchObject({ kind: 'audio', mime_type, extension, width: null, height: null, has_audio: true });
    expect(Math.abs((media.duration_seconds ?? 0) - 2)).toBeLessThan(0.06);
  });

  it('the format by content, regardless of the name', async () => {
    const file = await written('picture.mp4', await readFile(files['a.png'] ?? ''));
    expect(await probe(file)).toMatchObject({ kind: 'image', mime_type: 'image/png', extension: 'png' });
  });

  it('the display size with rotation, sample aspect and orientation', async () => {
    const flat = await make('flat.mp4', `${PICTURE} -vf setsar=2 ${X264}`);
    const turned = await make('turned.mp4', `-i file:${flat} -c copy -metadata:s:v:0 rotate=270`);
    expect(await probe(turned)).toMatchObject({ width: 90, height: 320 });
    const photo = path.join(folder, 'photo.jpg');
    await sharp(files['a.jpg']).withMetadata({ orientation: 6 }).toFile(photo);
    expect(await probe(photo)).toMatchObject({ width: 90, height: 160 });
  });

  it('audio with a cover image as audio', async () => {
    const line = `-i file:${files['a.m4a']} -i file:${files['a.jpg']} -map 0 -map 1 -c copy -disposition:v attached_pic`;
    expect(await probe(await make('cover.m4a', line))).toMatchObject({ kind: 'audio', width: null });
    expect(await probe(await make('cover.mp3', line.replace('-c copy', '-c:v copy')))).toMatchObject({ kind: 'audio' });
  });

  it('the measured length of an MP3 that states none', async () => {
    const varying = `${PICTURE} -f lavfi -i anoisesrc=d=2 -f lavfi -i aevalsrc=0:d=10 -filter_complex [1][2]concat=n=2:v=0:a=1`;
    const file = await make('untold.mp3', `${varying} -q:a 0 -write_xing 0 -id3v2_version 0`);
    expect((await probe(file)).duration_seconds).toBeCloseTo(12, 0);
  });

  it('a WAV whose length was never filled in', async () => {
    const bytes = await readFile(files['a.wav'] ?? '');
    bytes.writeUInt32LE(0xff_ff_ff_ff, 4);
    bytes.writeUInt32LE(0xff_ff_ff_ff, bytes.indexOf('data') + 4);
    expect((await probe(await written('stream.wav', bytes))).duration_seconds).toBeCloseTo(2, 2);
  });
});

describe('probeFile rejects', () => {
  it.each([...Object.keys(MADE), 'a.avif'])('%s that is truncated', async (name) => {
    const bytes = await readFile(files[name] ?? '');
    for (const part of [0.6, 0.9]) {
      const file = await written(`cut-${name}`, bytes);
      await truncate(file, Math.floor(bytes.length * part));
      await expect(probe(file)).rejects.toEqual(refusal());
    }
  });

  it.each([
    ['an empty file', '', /empty/],
    ['text', 'hello there, this is no picture', /not a supported/],
    ['a web page', '<!DOCTYPE html><html><script>alert(1)</script></html>', /web page/],
    ['SVG', '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>', /SVG/],
    ['an HLS playlist', '#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\n/etc/passwd\n', /playlist/],
    ['a concat list', "ffconcat version 1.0\nfile '/etc/passwd'\n", /playlist/],
    ['a PDF', '%PDF-1.7\n1 0 obj', /PDF/],
    [
      'random bytes',
      Buffer.from(Array.from({ length: 5_000 }, (_, index) => (index * 7919 + 13) % 251)),
      /not a supported/,
    ],
    [
      'an MP3 header before nonsense',
      Buffer.concat([Buffer.from('ID3\x04\0\0\0\0\0\0', 'latin1'), Buffer.alloc(9_000, 'a')]),
      /./,
    ],
    [
      'a page that begins like MP4',
      Buffer.from('\0\0\0\x18ftypisom\0\0\0\0<html><script>alert(1)</script></html>', 'latin1'),
      /./,
    ],
  ])('%s', async (_name, bytes, message) => {
    await expect(probe(await written('bad', bytes))).rejects.toEqual(refusal(message));
  });

  const ZIP_END = Buffer.concat([Buffer.from('PK\x05\x06', 'latin1'), Buffer.alloc(18)]);
  const PAGE = Buffer.from('<html><script>alert(1)</script></html>');
  const box = (type: string, content: Buffer): Buffer => {
    const head = Buffer.alloc(8);
    head.writeUInt32BE(8 + content.length);
    head.write(type, 4);
    return Buffer.concat([head, content]);
  };

  it.each<[string, string, (bytes: Buffer) => Buffer]>([
    [
      'a PNG that is a ZIP too',
      'a.png',
      (bytes) => Buffer.concat([bytes, Buffer.from('PK\x03\x04', 'latin1'), ZIP_END]),
    ],
    ['a JPEG that is a ZIP too', 'a.jpg', (bytes) => Buffer.concat([bytes, ZIP_END])],
    ['a GIF with a script after it', 'a.gif', (bytes) => Buffer.concat([bytes, Buffer.from('*/=1;alert(1)')])],
    [
      'a GIF whose size opens a comment',
      'a.gif',
      (bytes) => Buffer.concat([bytes.subarray(0, 6), Buffer.from('/*'), bytes.subarray(8)]),
    ],
    ['an MP4 with a page after it', 'a.mp4', (bytes) => Buffer.concat([bytes, PAGE])],
    [
      'an MP4 with a page in a box',
      'fast.mp4',
      (bytes) =>
        Buffer.concat([bytes, box('free', Buffer.alloc(70_000)), box('skip', PAGE), box('free', Buffer.alloc(70_000))]),
    ],
    ['a WebM with a page after it', 'a.webm', (bytes) => Buffer.concat([bytes, PAGE])],
    ['a WebP with a page after it', 'a.webp', (bytes) => Buffer.concat([bytes, PAGE])],
    ['a WAV with a page after it', 'a.wav', (bytes) => Buffer.concat([bytes, PAGE])],
    ['an Ogg with a page after it', 'a.ogg', (bytes) => Buffer.concat([bytes, PAGE])],
    ['an MP3 that is a ZIP too', 'a.mp3', (bytes) => Buffer.concat([bytes, ZIP_END])],
    [
      'an M4A whose sound is nonsense',
      'a.m4a',
      (bytes) => bytes.fill(0xff, bytes.indexOf('mdat') + 4, bytes.indexOf('moov') - 4),
    ],
  ])('%s', async (_name, source, spoil) => {
    const file = await written('polyglot', spoil(await readFile(files[source] ?? '')));
    await expect(probe(file)).rejects.toEqual(refusal());
  });

  it('a video in an Ogg', async () => {
    await expect(probe(await make('video.ogg', `${PICTURE} -c:v libtheora -f ogg`))).rejects.toEqual(refusal());
  });
});

describe('decompression bombs are rejected before decoding', () => {
  const refusedWith = async (file: string): Promise<string> => {
    const error: unknown = await probe(file).then(
      () => undefined,
      (caught: unknown) => caught,
    );
    expect(error).toEqual(refusal());
    return error instanceof Error ? error.message : '';
  };

  it('a PNG of 256 megapixels in 40 KB', async () => {
    const message = await refusedWith(await written('bomb.png', createPngBomb(16_000)));
    expect(message).toContain('megapixels');
  });

  it('an animated WebP of 800 megapixels', async () => {
    const message = await refusedWith(await written('bomb.webp', await createAnimationBomb(4_000, 50)));
    expect(message).toContain('animation');
  });

  it('ten hours in ten frames', async () => {
    const message = await refusedWith(await make('long.mp4', `-f lavfi -i color=s=64x64:r=1/3600:d=36000 ${X264}`));
    expect(message).toContain('hours');
  });

  it('a header that claims ten hours of silence', async () => {
    const bytes = await readFile(files['a.flac'] ?? '');
    // STREAMINFO: the 36 bits of the number of samples end 16 bytes before its end.
    bytes.writeUInt32BE(36_000 * 44_100, 8 + 14);
    const message = await refusedWith(await written('long.flac', bytes));
    expect(message).toContain('hours');
  });

  it('a video with too many pixels', async () => {
    const line = '-f lavfi -i color=s=6200x6200:r=1:d=1 -c:v libx264 -preset ultrafast -threads 1';
    await refusedWith(await make('wide.mp4', line));
  });
});

it('stops when it is aborted', async () => {
  const reason = new Error('gone');
  await expect(probeFile(tools, files['a.mp4'] ?? '', { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
});
