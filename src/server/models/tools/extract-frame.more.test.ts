import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { flags } from '#server/platform/media/flags.ts';
import { probeFile } from '#server/platform/media/probe-file.ts';
import {
  clickTrack,
  numberedFrames,
  openClipFixture,
  type ClipFixture,
} from '#server/models/engine/testing/clip-fixture.ts';

let fixture: ClipFixture;
beforeAll(async () => {
  fixture = await openClipFixture();
});
afterAll(() => fixture.close());

const X264 = flags('-c:v libx264 -preset ultrafast -qp 10 -bf 3 -g 45 -pix_fmt yuv420p');
const picture = (size = '320x180', rate = '30', seconds = 4): string[] =>
  flags`-f lavfi -i ${numberedFrames(size, rate, seconds)}`;

const take = async (video: string, timestamp_seconds: number, format = 'png') =>
  fixture.run('video.extract_frame', { video }, { timestamp_seconds, format });
const numberAt = async (video: string, at: number): Promise<number | undefined> => {
  const { files } = await take(video, at);
  return (await fixture.frameNumbers(files[0] ?? ''))[0];
};

describe('video.extract_frame', () => {
  it.each([
    ['mp4', X264],
    ['mkv', X264],
    ['webm', flags('-c:v libvpx -deadline realtime -cpu-used 8 -b:v 2M -auto-alt-ref 1 -lag-in-frames 16')],
  ])('extracts the displayed frame of %s', async (extension, codec) => {
    const clip = await fixture.createClip(`plain.${extension}`, [...picture(), ...codec]);
    for (const [at, frame] of [
      [0, 0],
      [0.05, 1],
      [1, 30],
      [1.02, 30],
      [2.345, 70],
      [3.97, 119],
      [4, 119],
    ] as const) {
      expect([at, await numberAt(clip, at)]).toEqual([at, frame]);
    }
  });

  it('extracts a frame for as long as it is displayed, at 1 fps and at variable frame rates', async () => {
    const slow = await fixture.createClip('slow.mp4', [...picture('320x180', '1', 5), ...X264]);
    expect(await Promise.all([0.99, 1, 3.5, 4.9, 5].map((at) => numberAt(slow, at)))).toEqual([0, 1, 3, 4, 4]);
    const filter = "select='lt(n,5)+eq(n,60)+gt(n,115)'";
    const varying = await fixture.createClip('vfr.mp4', [...picture(), '-vf', filter, '-vsync', 'vfr', ...X264]);
    expect(await Promise.all([0.1, 1.9, 2, 3.8].map((at) => numberAt(varying, at)))).toEqual([3, 4, 60, 60]);
  });

  it('returns the display size of rotated, anamorphic and odd-sized videos in every format', async () => {
    const flat = await fixture.createClip('flat.mp4', [
      ...picture('160x91'),
      '-vf',
      'setsar=2',
      ...flags('-c:v libx264 -qp 10 -pix_fmt yuv444p'),
    ]);
    const clip = await fixture.createClip('turned.mp4', flags`-i file:${flat} -c copy -metadata:s:v:0 rotate=90`);
    for (const [format, mime_type] of [
      ['jpg', 'image/jpeg'],
      ['png', 'image/png'],
      ['webp', 'image/webp'],
    ] as const) {
      const { files, data } = await take(clip, 1, format);
      expect(data).toEqual({ width: 91, height: 320 });
      expect(await probeFile(fixture.tools, files[0] ?? '')).toMatchObject({ mime_type, width: 91, height: 320 });
    }
  });

  it('tone-maps HDR video', async () => {
    const hdr = flags(
      '-c:v libx264 -pix_fmt yuv420p10le -color_primaries bt2020 -color_trc smpte2084 -colorspace bt2020nc',
    );
    const bright = flags`-f lavfi -i ${'color=0xc0c0c0:s=64x64:r=10:d=1'} -vf setparams=color_primaries=bt2020:color_trc=smpte2084:colorspace=bt2020nc`;
    const clip = await fixture.createClip('hdr.mp4', [...bright, ...hdr]);
    const { files } = await take(clip, 0);
    const [level] = (await sharp(files[0]).stats()).channels;
    // 192 of 255 in PQ is about 1000 nits: nearly white, not the dull grey of the raw value.
    expect(level?.mean).toBeGreaterThan(220);
  });

  it('rejects a time past the end and media without video', async () => {
    const clip = await fixture.createClip('short.mp4', [...picture('320x180', '30', 1), ...X264]);
    await expect(take(clip, 1.5)).rejects.toMatchObject({
      code: 'invalid_media',
      message: 'The time is past the end of the video, which is 1 s long.',
    });
    const tone = await fixture.createClip('tone.mp3', flags`-f lavfi -i ${clickTrack(1)}`);
    await expect(take(tone, 0)).rejects.toMatchObject({ name: 'EngineError', code: 'invalid_media' });
  });
});
