import { readdir, readFile } from 'node:fs/promises';
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

const X264 = flags('-c:v libx264 -preset ultrafast -qp 10 -bf 3 -g 90 -pix_fmt yuv420p');
const AAC = flags('-c:a aac');
const picture = (size = '320x180', rate = '30', seconds = 4): string[] =>
  flags`-f lavfi -i ${numberedFrames(size, rate, seconds)}`;
const sound = (seconds = 4): string[] => flags`-f lavfi -i ${clickTrack(seconds)}`;
const range = (from: number, to: number): number[] => Array.from({ length: to - from }, (_, index) => from + index);

interface Source {
  name: string;
  extension: string;
  args: string[];
  fps: number;
  silent?: true;
  size: [width: number, height: number];
}

const SOURCES: Source[] = [
  { name: 'MP4', extension: 'mp4', args: [...picture(), ...sound(), ...X264, ...AAC], fps: 30, size: [320, 180] },
  { name: 'silent MP4', extension: 'mp4', args: [...picture(), ...X264], fps: 30, silent: true, size: [320, 180] },
  {
    name: '23.976 MKV',
    extension: 'mkv',
    args: [...picture('320x180', '24000/1001'), ...sound(), ...X264, ...AAC],
    fps: 24_000 / 1_001,
    size: [320, 180],
  },
  {
    name: '1 fps MP4',
    extension: 'mp4',
    args: [...picture('320x180', '1'), ...sound(), ...X264, ...AAC],
    fps: 1,
    size: [320, 180],
  },
  {
    name: '60 fps MOV',
    extension: 'mov',
    args: [...picture('320x180', '60'), ...sound(), ...X264, ...AAC],
    fps: 60,
    size: [320, 180],
  },
  {
    name: 'WebM',
    extension: 'webm',
    args: [...picture(), ...sound(), ...flags('-c:v libvpx -deadline realtime -cpu-used 8 -b:v 2M -c:a libopus')],
    fps: 30,
    size: [320, 180],
  },
  {
    name: 'odd-sized MP4',
    extension: 'mp4',
    args: [
      ...picture('321x181'),
      ...sound(),
      ...flags('-c:v libx264 -preset ultrafast -qp 10 -pix_fmt yuv444p'),
      ...AAC,
    ],
    fps: 30,
    size: [320, 180],
  },
  {
    name: 'anamorphic MP4',
    extension: 'mp4',
    args: [...picture('160x180'), ...sound(), '-vf', 'setsar=2', ...X264, ...AAC],
    fps: 30,
    size: [320, 180],
  },
];

describe('video.trim', () => {
  it.each(SOURCES)(
    'trims a $name file to exact frames and audio',
    async ({ name, extension, args, fps, silent, size }) => {
      const clip = await fixture.createClip(`${name.replaceAll(' ', '-')}.${extension}`, args);
      const [start, end] = fps === 1 ? [1, 3] : [0.7, 2.3];
      const first = Math.round(start * fps);
      const last = Math.round(end * fps);
      const { files, data } = await fixture.run(
        'video.trim',
        { video: clip },
        { start_seconds: start, end_seconds: end },
      );
      const [file = ''] = files;
      expect(await fixture.frameNumbers(file)).toEqual(range(first, last));
      const media = await probeFile(fixture.tools, file);
      expect(media).toMatchObject({ mime_type: 'video/mp4', width: size[0], height: size[1], has_audio: !silent });
      expect(Math.abs((media.duration_seconds ?? 0) - (last - first) / fps)).toBeLessThan(0.002);
      expect(data).toMatchObject({ duration_seconds: expect.closeTo((last - first) / fps, 5), end_clamped: false });
      if (silent) return;
      const expected = [1, 2, 3].map((at) => at - first / fps).filter((at) => at >= 0 && at < (last - first) / fps);
      const heard = await fixture.clicks(file);
      expect(heard).toHaveLength(expected.length);
      for (const [index, at] of expected.entries()) expect(Math.abs((heard[index] ?? 99) - at)).toBeLessThan(0.02);
    },
  );

  it('applies the rotation of a phone video', async () => {
    const flat = await fixture.createClip('flat.mp4', [...picture(), ...sound(), ...X264, ...AAC]);
    const clip = await fixture.createClip('rotated.mp4', flags`-i file:${flat} -c copy -metadata:s:v:0 rotate=90`);
    expect(await probeFile(fixture.tools, clip)).toMatchObject({ width: 180, height: 320 });
    const { files } = await fixture.run('video.trim', { video: clip }, { start_seconds: 1, end_seconds: 2 });
    expect(await probeFile(fixture.tools, files[0] ?? '')).toMatchObject({ width: 180, height: 320 });
    const upright = await fixture.frameNumbers(clip, 'y');
    expect(new Set(upright).size).toBe(120);
    expect(await fixture.frameNumbers(files[0] ?? '', 'y')).toEqual(upright.slice(30, 60));
  });

  it('keeps the displayed frames of a video with a variable frame rate', async () => {
    const isDecoded = (frame: number): boolean => frame % 3 === 0 || frame % 4 === 0;
    const filter = "select='not(mod(n,3))+not(mod(n,4))'";
    const clip = await fixture.createClip('vfr.mp4', [...picture(), '-vf', filter, '-vsync', 'vfr', ...X264]);
    const { files } = await fixture.run('video.trim', { video: clip }, { start_seconds: 0.5, end_seconds: 3 });
    const expected = range(15, 90).map((frame) => range(0, frame + 1).findLast(isDecoded));
    expect(await fixture.frameNumbers(files[0] ?? '')).toEqual(expected);
  });

  it('keeps the delay of audio that starts after the video', async () => {
    const args = [...picture(), ...flags('-itsoffset 0.5'), ...sound(3), ...X264, ...AAC];
    const clip = await fixture.createClip('late.mkv', args);
    const { files } = await fixture.run('video.trim', { video: clip }, { start_seconds: 0.2, end_seconds: 3 });
    const heard = await fixture.clicks(files[0] ?? '');
    expect(heard).toHaveLength(3);
    for (const [index, at] of [0.3, 1.3, 2.3].entries()) expect(Math.abs((heard[index] ?? 99) - at)).toBeLessThan(0.02);
  });

  it('clamps an end past the clip and reports it', async () => {
    const clip = await fixture.createClip('short.mp4', [...picture(), ...X264]);
    const { files, data } = await fixture.run('video.trim', { video: clip }, { start_seconds: 3, end_seconds: 100 });
    expect(data).toEqual({ start_seconds: 3, end_seconds: 4, duration_seconds: 1, end_clamped: true });
    expect(await fixture.frameNumbers(files[0] ?? '')).toEqual(range(90, 120));
  });

  it('returns at least one frame', async () => {
    const clip = await fixture.createClip('one.mp4', [...picture(), ...X264]);
    const { files } = await fixture.run('video.trim', { video: clip }, { start_seconds: 1, end_seconds: 1.001 });
    expect(await fixture.frameNumbers(files[0] ?? '')).toEqual([30]);
  });

  it('rejects invalid times and media', async () => {
    const clip = await fixture.createClip('plain.mp4', [...picture(), ...X264]);
    const run = (video: string, start_seconds: number, end_seconds: number) =>
      fixture.run('video.trim', { video }, { start_seconds, end_seconds });
    const bad = { name: 'EngineError', code: 'invalid_media', message: expect.stringMatching(/^[A-Z].*\.$/) };
    await expect(run(clip, 4, 5)).rejects.toMatchObject(bad);
    await expect(run(clip, 2, 2)).rejects.toMatchObject(bad);
    const tone = await fixture.createClip('tone.m4a', [...sound(), ...AAC]);
    await expect(run(tone, 0, 1)).rejects.toMatchObject({ ...bad, message: 'The file contains audio but no video.' });
    const cover = await fixture.createClip('cover.png', [...picture(), '-frames:v', '1']);
    const song = await fixture.createClip(
      'song.m4a',
      flags`-i file:${tone} -i file:${cover} -map 0 -map 1 -c:a copy -c:v mjpeg -disposition:v attached_pic`,
    );
    await expect(run(song, 0, 1)).rejects.toMatchObject({ ...bad, message: 'The file contains audio but no video.' });
    await expect(run(cover, 0, 1)).rejects.toMatchObject(bad);
  });

  it('reports rising progress and leaves no process when canceled midway', async () => {
    const clip = await fixture.createClip('long.mp4', [...flags('-f lavfi -i testsrc2=s=1280x720:r=30:d=8'), ...X264]);
    const seen: number[] = [];
    await fixture.run(
      'video.trim',
      { video: clip },
      { start_seconds: 0, end_seconds: 8 },
      { onProgress: (done) => seen.push(done) },
    );
    expect(seen.at(-1)).toBe(1);
    expect(seen).toEqual([...new Set(seen)].toSorted((a, b) => a - b));

    const controller = new AbortController();
    const reached: number[] = [];
    const onProgress = (done: number): void => {
      reached.push(done);
      controller.abort(new Error('canceled'));
    };
    const canceled = fixture.run(
      'video.trim',
      { video: clip },
      { start_seconds: 0, end_seconds: 8 },
      { signal: controller.signal, onProgress },
    );
    await expect(canceled).rejects.toThrow('canceled');
    expect(reached[0]).toBeLessThan(1);
    expect(await commandsWith(fixture.folder)).toEqual([]);
  });
});

async function commandsWith(folder: string): Promise<string[]> {
  const ids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const lines = await Promise.all(ids.map((id) => readFile(`/proc/${id}/cmdline`, 'utf8').catch(() => '')));
  return lines.filter((line) => line.includes(folder));
}
