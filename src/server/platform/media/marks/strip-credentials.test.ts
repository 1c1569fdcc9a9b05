import { readFile } from 'node:fs/promises';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import {
  id3Tag,
  manifestStore,
  markJpeg,
  markMp4,
  markWav,
  xmpPacket,
} from '#server/platform/media/testing/marks-fixture.ts';
import { readMarks } from './read-marks.ts';
import { FORMATS, SOUND, useStripFixture } from './testing/strip-fixture.ts';

const files = useStripFixture();
const { make, write, strip } = files;

describe('a file that the library signed twice', () => {
  it.each(['png', 'jpg', 'webp', 'mp4', 'mp3'] as const)(
    '%s: loses every manifest and still decodes the same',
    files.expectSameMedia,
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
      const signed = await files.signer().sign(await readFile(await make(extension)), mime_type);
      const at = signed.indexOf('jumdc2pa') + 100;
      const file = await write(`cut.${extension}`, signed.subarray(0, at));
      const bytes = await strip(file);
      expect(bytes.length).toBeLessThanOrEqual(at);
    }
  });
});
