import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { flags } from '#server/platform/media/flags.ts';
import { readMarks } from '#server/platform/media/marks/read-marks.ts';
import { probeFile } from '#server/platform/media/probe-file.ts';
import { id3Tag, markMp4, markWav, manifestStore, xmpPacket } from '#server/platform/media/testing/marks-fixture.ts';
import { clickTrack, openClipFixture, type ClipFixture } from '#server/models/engine/testing/clip-fixture.ts';

const store = manifestStore('urn:c2pa:of-the-provider', 100_000);
const otherStore = manifestStore('urn:c2pa:of-another');
const packet = xmpPacket('trainedAlgorithmicMedia');
let fixture: ClipFixture;
let clip: string;
let plain: string;
let song: string;
beforeAll(async () => {
  fixture = await openClipFixture();
  const sources = flags`-f lavfi -i testsrc2=s=160x90:r=10:d=2 -f lavfi -i ${clickTrack(2)}`;
  const codecs = flags('-c:v libx264 -preset ultrafast -c:a aac');
  clip = await fixture.createClip('clip.mp4', [...sources, ...codecs]);
  await markMp4(clip, { c2pa: store, xmp: packet });
  plain = await fixture.createClip('plain.mp4', [...sources, ...codecs]);
  song = await fixture.createClip('song.mp3', flags`-f lavfi -i ${clickTrack(2)} -id3v2_version 0 -write_xing 0`);
  await writeFile(song, Buffer.concat([id3Tag({ c2pa: otherStore }), await readFile(song)]));
});
afterAll(() => fixture.close());

const fileOf = (name: string) => path.join(fixture.folder, name);

describe('XMP of sources', () => {
  it.each([
    ['video.trim', { start_seconds: 0, end_seconds: 1 }, 'video/mp4'],
    ['video.split_scenes', { threshold: 20, minimum_scene_length_seconds: 0 }, 'video/mp4'],
    ['video.extract_frame', { timestamp_seconds: 1, format: 'jpg' }, 'image/jpeg'],
    ['video.extract_frame', { timestamp_seconds: 1, format: 'png' }, 'image/png'],
    ['video.extract_frame', { timestamp_seconds: 1, format: 'webp' }, 'image/webp'],
    ['video.extract_audio', { format: 'mp3', bitrate: '192k' }, 'audio/mpeg'],
    ['video.extract_audio', { format: 'wav', bitrate: '192k' }, 'audio/wav'],
    ['video.extract_audio', { format: 'aac', bitrate: '192k' }, 'audio/mp4'],
  ] as const)('is kept by %s %o', async (task, input, mime_type) => {
    const [marked, unmarked] = [
      await fixture.run(task, { video: clip }, input),
      await fixture.run(task, { video: plain }, input),
    ];
    const [file = ''] = marked.files;
    expect(marked.lost_marks).toEqual([]);
    expect(await readMarks(file)).toEqual({ xmp: packet });
    // Found by a reader of bytes too.
    expect((await readFile(file)).includes(packet)).toBe(true);
    const [media, same] = [
      await probeFile(fixture.tools, file),
      await probeFile(fixture.tools, unmarked.files[0] ?? ''),
    ];
    expect(media).toMatchObject({ mime_type });
    expect({ ...media, size_bytes: 0 }).toEqual({ ...same, size_bytes: 0 });
    if (media.kind === 'image') {
      const pixels = async (image: string) => (await sharp(image).raw().toBuffer()).toString('base64');
      expect(await pixels(file)).toBe(await pixels(unmarked.files[0] ?? ''));
      expect((await sharp(file).metadata()).xmp?.equals(packet)).toBe(true);
    }
    expect(await readMarks(unmarked.files[0] ?? '')).toEqual({});
  });

  it('is that of the first source that has one', async () => {
    const { files, lost_marks } = await fixture.run(
      'video.add_audio',
      { video: clip, audio: song },
      { mode: 'replace', audio_volume: 1, original_audio_volume: null },
    );
    expect([await readMarks(files[0] ?? ''), lost_marks]).toEqual([{ xmp: packet }, []]);
    const joined = await fixture.run('video.concat', { 'videos.0': clip, 'videos.1': clip }, {});
    expect([await readMarks(joined.files[0] ?? ''), joined.lost_marks]).toEqual([{ xmp: packet }, []]);
  });

  it('that a file cannot hold is named', async () => {
    const second = await fixture.createClip('second.mp4', flags`-i file:${plain} -c copy`);
    await markMp4(second, { xmp: xmpPacket('digitalCapture') });
    const joined = await fixture.run('video.concat', { 'videos.0': clip, 'videos.1': second }, {});
    expect([joined.lost_marks, (await readMarks(joined.files[0] ?? '')).xmp]).toEqual([['xmp'], packet]);
    const long = xmpPacket('x'.repeat(70_000));
    const third = await fixture.createClip('third.mp4', flags`-i file:${plain} -c copy`);
    await markMp4(third, { c2pa: store, xmp: long });
    const frame = await fixture.run('video.extract_frame', { video: third }, { timestamp_seconds: 0, format: 'jpg' });
    expect([frame.lost_marks, await readMarks(frame.files[0] ?? '')]).toEqual([['xmp'], {}]);
  });

  it('and credentials of a WAV and an MP3 are read, and damaged or huge ones are named', async () => {
    const wav = await fixture.createClip('a.wav', flags`-f lavfi -i ${clickTrack(0.1)}`);
    await markWav(wav, { c2pa: otherStore, xmp: packet });
    expect([await readMarks(wav), await readMarks(song)]).toEqual([
      { c2pa: otherStore, xmp: packet },
      { c2pa: otherStore },
    ]);
    const marks = [
      { c2pa: Buffer.concat([Buffer.from([0xff, 0xff, 0xff, 0xff]), store.subarray(4)]) },
      { c2pa: Buffer.from('jumb') },
      { c2pa: manifestStore('huge', 17 * 2 ** 20) },
    ];
    for (const [index, mark] of marks.entries()) {
      const source = fileOf(`hostile-${index}.mp4`);
      await writeFile(source, await readFile(plain));
      await markMp4(source, mark);
      expect(await readMarks(source), String(index)).toEqual({ c2pa: null });
    }
    const bytes = await readFile(clip);
    for (let length = 0; length < 60; length += 1) {
      await writeFile(fileOf('cut.mp4'), bytes.subarray(0, bytes.length - length * 17));
      await readMarks(fileOf('cut.mp4'));
    }
  });
});
