import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { probeFile } from './probe-file.ts';
import { createAnimationBomb, createPngBomb } from './testing/image-bomb-fixture.ts';
import { PICTURE, refusal, type SourceName, useProbeFixture, X264 } from './testing/probe-fixture.ts';

const files = useProbeFixture();
const { probe } = files;

describe('probeFile detects', () => {
  it.each<[SourceName, string, string]>([
    ['a.png', 'image/png', 'png'],
    ['a.jpg', 'image/jpeg', 'jpg'],
    ['a.webp', 'image/webp', 'webp'],
    ['moving.webp', 'image/webp', 'webp'],
    ['a.gif', 'image/gif', 'gif'],
    ['a.avif', 'image/avif', 'avif'],
  ])('%s', async (name, mime_type, extension) => {
    const size = (await files.readSource(name)).length;
    expect(await probe(await files.source(name))).toEqual({
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

  it.each<[SourceName, string, string, boolean]>([
    ['a.mp4', 'video/mp4', 'mp4', true],
    ['a.webm', 'video/webm', 'webm', true],
  ])('%s', files.expectVideo);

  it.each<[SourceName, string, string]>([
    ['a.mp3', 'audio/mpeg', 'mp3'],
    ['a.wav', 'audio/wav', 'wav'],
  ])('%s', files.expectAudio);

  it('the format by content, regardless of the name', async () => {
    const file = await files.write('picture.mp4', await files.readSource('a.png'));
    expect(await probe(file)).toMatchObject({ kind: 'image', mime_type: 'image/png', extension: 'png' });
  });

  it('the display size with rotation, sample aspect and orientation', async () => {
    const flat = await files.make('flat.mp4', `${PICTURE} -vf setsar=2 ${X264}`);
    const turned = await files.make('turned.mp4', `-i file:${flat} -c copy -metadata:s:v:0 rotate=270`);
    expect(await probe(turned)).toMatchObject({ width: 90, height: 320 });
    const photo = files.path('photo.jpg');
    await sharp(await files.source('a.jpg'))
      .withMetadata({ orientation: 6 })
      .toFile(photo);
    expect(await probe(photo)).toMatchObject({ width: 90, height: 160 });
  });

  it('the measured length of an MP3 that states none', async () => {
    const varying = `${PICTURE} -f lavfi -i anoisesrc=d=2 -f lavfi -i aevalsrc=0:d=10 -filter_complex [1][2]concat=n=2:v=0:a=1`;
    const file = await files.make('untold.mp3', `${varying} -q:a 0 -write_xing 0 -id3v2_version 0`);
    expect((await probe(file)).duration_seconds).toBeCloseTo(12, 0);
  });

  it('a WAV whose length was never filled in', async () => {
    const bytes = await files.readSource('a.wav');
    bytes.writeUInt32LE(0xff_ff_ff_ff, 4);
    bytes.writeUInt32LE(0xff_ff_ff_ff, bytes.indexOf('data') + 4);
    expect((await probe(await files.write('stream.wav', bytes))).duration_seconds).toBeCloseTo(2, 2);
  });
});

describe('probeFile rejects', () => {
  it.each<SourceName>([
    'a.png',
    'a.jpg',
    'a.webp',
    'moving.webp',
    'a.gif',
    'a.avif',
    'a.mp4',
    'a.webm',
    'a.mp3',
    'a.wav',
  ])('%s that is truncated', files.expectTruncatedRejected);

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
    await expect(probe(await files.write('bad', bytes))).rejects.toEqual(refusal(message));
  });

  const ZIP_END = Buffer.concat([Buffer.from('PK\x05\x06', 'latin1'), Buffer.alloc(18)]);
  const PAGE = Buffer.from('<html><script>alert(1)</script></html>');
  const box = (type: string, content: Buffer): Buffer => {
    const head = Buffer.alloc(8);
    head.writeUInt32BE(8 + content.length);
    head.write(type, 4);
    return Buffer.concat([head, content]);
  };

  it.each<[string, SourceName, (bytes: Buffer) => Buffer]>([
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
    const file = await files.write('polyglot', spoil(await files.readSource(source)));
    await expect(probe(file)).rejects.toEqual(refusal());
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
    const message = await refusedWith(await files.write('bomb.png', createPngBomb(16_000)));
    expect(message).toContain('megapixels');
  });

  it('an animated WebP of 800 megapixels', async () => {
    const message = await refusedWith(await files.write('bomb.webp', await createAnimationBomb(4_000, 50)));
    expect(message).toContain('animation');
  });

  it('ten hours in ten frames', async () => {
    const message = await refusedWith(
      await files.make('long.mp4', `-f lavfi -i color=s=64x64:r=1/3600:d=36000 ${X264}`),
    );
    expect(message).toContain('hours');
  });

  it('a header that claims ten hours of silence', async () => {
    const bytes = await files.readSource('a.flac');
    // STREAMINFO: the 36 bits of the number of samples end 16 bytes before its end.
    bytes.writeUInt32BE(36_000 * 44_100, 8 + 14);
    const message = await refusedWith(await files.write('long.flac', bytes));
    expect(message).toContain('hours');
  });
});

it('stops when it is aborted', async () => {
  const reason = new Error('gone');
  await expect(
    probeFile(files.tools(), await files.source('a.mp4'), { signal: AbortSignal.abort(reason) }),
  ).rejects.toBe(reason);
});
