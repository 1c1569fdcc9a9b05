import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { flags } from '#server/platform/media/flags.ts';
import { createMedia } from '#server/platform/media/testing/create-media.ts';
import { createAnimationBomb, createPngBomb } from '#server/platform/media/testing/image-bomb-fixture.ts';
import {
  statusAndCode,
  createUploadFixture,
  createUploadForm,
  FORM_HEAD,
  readErrorMessage,
} from './testing/upload-fixture.ts';

const bench = createUploadFixture({ config: { maxUploadBytes: 2_000_000, uploadTimeoutSeconds: 60 } });
const INVALID = [400, 'invalid_media_upload'];
const SENTENCE = /^[A-Z].{10,}\.$/;

const media: Record<'gif' | 'mp4' | 'flac' | 'long', Buffer> = {
  gif: Buffer.alloc(0),
  mp4: Buffer.alloc(0),
  flac: Buffer.alloc(0),
  long: Buffer.alloc(0),
};
const MADE = {
  mp4: '-f lavfi -i testsrc=s=64x36:r=10:d=1 -c:v libx264 -pix_fmt yuv420p -f mp4',
  flac: '-f lavfi -i sine=d=1 -f flac',
  long: '-f lavfi -i color=s=64x64:r=1/3600:d=36000 -c:v libx264 -preset ultrafast -f mp4',
};

beforeAll(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'refusals-'));
  for (const name of ['mp4', 'flac', 'long'] as const) {
    media[name] = await readFile(await createMedia(join(folder, name), flags(MADE[name])));
  }
  await rm(folder, { recursive: true });
  media.gif = await sharp(bench.png()).gif().toBuffer();
});

async function refusalOf(bytes: Uint8Array, filename?: string) {
  const before = await bench.storedKeys();
  const answer = await bench.send(createUploadForm(bytes, filename));
  expect(statusAndCode(answer)).toEqual(INVALID);
  expect(readErrorMessage(answer)).toMatch(SENTENCE);
  expect(await bench.storedKeys()).toEqual(before);
  return readErrorMessage(answer);
}

const text = (content: string) => () => Buffer.from(content, 'latin1');
const PAGE = '<!doctype html><html><script>alert(1)</script></html>';
const SVG = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';
const PLAYLIST = '#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\nfile:///etc/passwd\n';
const ZIP_END = Buffer.concat([Buffer.from('PK\x05\x06', 'latin1'), Buffer.alloc(18)]);

describe('400 invalid_media_upload with a reason, leaving no file', () => {
  it.each<[string, string, () => Buffer, RegExp]>([
    ['an empty file', 'a.png', text(''), /empty/],
    ['text', 'a.jpg', text('hello there'), /not a supported/],
    ['a web page', 'a.png', text(PAGE), /web page/],
    ['a drawing that runs scripts', 'a.svg', text(SVG), /SVG/],
    ['a drawing as PNG', 'a.png', text(`<?xml version="1.0"?>\n${SVG}`), /SVG/],
    ['a playlist as .mp4', 'a.mp4', text(PLAYLIST), /playlist/],
    ['a list to join as .mp4', 'a.mp4', text("ffconcat version 1.0\nfile '/etc/passwd'\n"), /playlist/],
    ['a DASH manifest as .mp4', 'a.mp4', text('<?xml version="1.0"?><MPD xmlns="urn:mpeg:dash"/>'), /playlist/],
    [
      'a PDF as picture',
      'a.png',
      text('%PDF-1.7\n1 0 obj'),
      /^This is a PDF\. Use PNG, [^:]* images: save its page as PNG\.$/,
    ],
    ['a kind of media that is not taken', 'a.png', () => Buffer.concat([text('BM')(), Buffer.alloc(60)]), /Use PNG/],
    ['half a picture', 'a.png', () => bench.png().subarray(0, bench.png().length / 2), /incomplete/],
    ['half a video', 'a.mp4', () => media.mp4.subarray(0, media.mp4.length * 0.7), /incomplete/],
    ['half a sound', 'a.flac', () => media.flac.subarray(0, media.flac.length * 0.7), /incomplete|damaged/],
  ])('%s', async (_name, filename, bytes, reason) => {
    expect(await refusalOf(bytes(), filename)).toMatch(reason);
  });

  it.each<[string, string, () => Buffer]>([
    ['a GIF that is a script: its size opens a comment', 'a.gif', () => scripted(media.gif)],
    ['a GIF with a script behind it', 'a.gif', () => Buffer.concat([media.gif, Buffer.from('=1;alert(1)')])],
    ['a PNG that is a ZIP too', 'a.png', () => Buffer.concat([bench.png(), ZIP_END])],
    ['an MP4 with a page in a box that players skip', 'a.mp4', () => Buffer.concat([media.mp4, freeBox(PAGE)])],
    ['an MP4 with a page behind it', 'a.mp4', () => Buffer.concat([media.mp4, Buffer.from(PAGE)])],
  ])('%s', async (_name, filename, bytes) => {
    expect(await refusalOf(bytes(), filename)).toMatch(/other data|incomplete/);
  });

  it('for no file, another field and two files', async () => {
    expect(statusAndCode(await bench.send(new FormData()))).toEqual(INVALID);
    expect(statusAndCode(await bench.send(createUploadForm(bench.png(), 'a.png', 'picture')))).toEqual(INVALID);
    const two = createUploadForm(bench.png());
    two.append('file', new Blob([new Uint8Array(bench.png())]), 'b.png');
    expect(statusAndCode(await bench.send(two))).toEqual(INVALID);
  });

  it.each(['application/json', 'multipart/form-data', 'text/plain; boundary=x', ''])(
    'content type %j',
    async (type) => {
      const { outgoing, answer } = bench.openForm({ 'content-type': type });
      outgoing.end('{}');
      expect(statusAndCode(await answer)).toEqual(INVALID);
    },
  );

  it('for an incomplete form', async () => {
    const { outgoing, answer } = bench.openForm();
    outgoing.end(`${FORM_HEAD}abc`);
    expect(statusAndCode(await answer)).toEqual(INVALID);
  });
});

describe('rejects decompression bombs before decoding them', () => {
  it.each<[string, () => Promise<Buffer> | Buffer, RegExp]>([
    ['256 megapixels in 40 KB', () => createPngBomb(16_000), /megapixels/],
    ['an animation of 800 megapixels', () => createAnimationBomb(4_000, 50), /animation/],
    ['ten hours in ten frames', () => media.long, /hours/],
    ['a header that claims ten hours of silence', () => tenHours(media.flac), /hours/],
  ])('%s', async (_name, make, reason) => {
    expect(await refusalOf(await make())).toMatch(reason);
  });
});

afterAll(() => expect(bench.storedKeys()).resolves.toEqual([]));

/** `GIF89a/*`: the rest of the file is a comment in a script. */
function scripted(gif: Buffer): Buffer {
  const bytes = Buffer.from(gif);
  bytes.write('/*', 6, 'latin1');
  return Buffer.concat([bytes, Buffer.from('*/=1;alert(1)')]);
}

function freeBox(content: string): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt32BE(8 + content.length);
  head.write('free', 4);
  return Buffer.concat([head, Buffer.from(content)]);
}

/** In STREAMINFO the 36-bit sample count ends 16 bytes before the end. */
function tenHours(flac: Buffer): Buffer {
  const bytes = Buffer.from(flac);
  bytes.writeUInt32BE(36_000 * 44_100, 8 + 14);
  return bytes;
}
