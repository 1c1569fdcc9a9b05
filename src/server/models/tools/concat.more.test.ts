import { readFile } from 'node:fs/promises';
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

const X264 = flags('-c:v libx264 -preset ultrafast -qp 10 -pix_fmt yuv420p');
const picture = (size: string, rate: string, seconds: number): string[] =>
  flags`-f lavfi -i ${numberedFrames(size, rate, seconds)}`;
const sound = (seconds: number): string[] => flags`-f lavfi -i ${clickTrack(seconds)} -c:a aac`;
const join = (files: readonly string[]) =>
  fixture.run('video.concat', Object.fromEntries(files.map((file, index) => [`videos.${index}`, file])), {});
const range = (count: number, step = 1): number[] =>
  Array.from({ length: count }, (_, index) => Math.floor(index * step));

describe('video.concat', () => {
  it('joins clips of every kind with exact frames and audio', async () => {
    const clips = [
      await fixture.createClip('a.mp4', [...picture('320x180', '30', 2), ...sound(2), ...X264]),
      await fixture.createClip('b.mp4', [...picture('320x180', '30', 1.5), ...X264]),
      await fixture.createClip('c.mkv', [...picture('640x360', '30', 2), ...sound(2), ...X264]),
      await fixture.createClip('d.mp4', [...picture('320x180', '15', 2), ...sound(2), ...X264]),
      await fixture.createClip('e.mov', [...picture('320x180', '60', 1), ...sound(1), ...X264]),
    ];
    const { files, data } = await join(clips);
    const [file = ''] = files;
    const numbers = await fixture.frameNumbers(file);
    expect(numbers).toHaveLength(255);
    expect(numbers.slice(0, 165)).toEqual([...range(60), ...range(45), ...range(60)]);
    expect(numbers.slice(165, 225)).toEqual(range(60, 0.5));
    // Every other frame of a clip with twice the rate is shown, either one of each pair.
    for (const [index, number] of numbers.slice(225).entries())
      expect(Math.abs(number - 2 * index)).toBeLessThanOrEqual(1);
    const changes = [
      'Video 3: It was fitted to 320 × 180 pixels.',
      'Video 4: It has the frame rate of the first video now.',
      'Video 5: It has the frame rate of the first video now.',
    ];
    expect(data).toEqual({ duration_seconds: 8.5, changes: changes.join(' ') });
    const media = await probeFile(fixture.tools, file);
    expect(media).toMatchObject({ mime_type: 'video/mp4', width: 320, height: 180, fps: 30, has_audio: true });
    expect(media.duration_seconds).toBeCloseTo(8.5, 2);
    const heard = await fixture.clicks(file);
    const expected = [0, 1, 3.5, 4.5, 5.5, 6.5, 7.5];
    expect(heard).toHaveLength(expected.length);
    for (const [index, at] of expected.entries()) expect(Math.abs((heard[index] ?? 99) - at)).toBeLessThan(0.02);
  });

  it('creates no audio for silent clips', async () => {
    const clip = await fixture.createClip('silent.mp4', [...picture('320x180', '24000/1001', 1), ...X264]);
    const { files } = await join([clip, clip]);
    expect(await probeFile(fixture.tools, files[0] ?? '')).toMatchObject({ has_audio: false });
    expect(await fixture.frameNumbers(files[0] ?? '')).toEqual([...range(24), ...range(24)]);
  });

  it('letterboxes other aspect ratios by their display size', async () => {
    const white = (size: string): string[] => flags`-f lavfi -i color=white:s=${size}:r=10:d=0.5`;
    const wide = await fixture.createClip('wide.mp4', [...white('320x180'), ...X264]);
    const flat = await fixture.createClip('flat.mp4', [...white('320x180'), ...X264]);
    const tall = await fixture.createClip('tall.mp4', flags`-i file:${flat} -c copy -metadata:s:v:0 rotate=90`);
    // Stored at half its display width.
    const squeezed = await fixture.createClip('squeezed.mp4', [...white('160x180'), '-vf', 'setsar=2', ...X264]);
    const { files } = await join([wide, tall, squeezed]);
    const widths = await brightWidths(files[0] ?? '', 320);
    expect(widths).toHaveLength(15);
    for (const [index, expected] of [320, 101, 320].entries()) {
      for (const width of widths.slice(index * 5, index * 5 + 5)) expect(Math.abs(width - expected)).toBeLessThan(3);
    }
  });

  it('joins videos in the order of the input, 10 after 2', async () => {
    const shade = (level: string) =>
      fixture.createClip(`${level}.mp4`, [...flags`-f lavfi -i color=0x${level.repeat(3)}:s=64x64:r=5:d=0.2`, ...X264]);
    const levels = ['20', '40', '60', '80', 'a0', 'c0', 'e0', 'f0'];
    const files: string[] = [];
    for (const level of levels) files.push(await shade(level));
    const joined = await join(files);
    const raw = await fixture.createClip(
      'shades.raw',
      flags`-i file:${joined.files[0] ?? ''} -vf scale=1:1 -pix_fmt gray -f rawvideo`,
    );
    const seen = [...(await readFile(raw))];
    expect(seen).toHaveLength(8);
    expect(seen).toEqual(seen.toSorted((a, b) => a - b));
  });

  it('rejects a single clip and audio files', async () => {
    const clip = await fixture.createClip('x.mp4', [...picture('64x64', '10', 0.5), ...X264]);
    const tone = await fixture.createClip('tone.mp3', flags`-f lavfi -i ${clickTrack(1)}`);
    await expect(join([clip])).rejects.toMatchObject({ name: 'EngineError', code: 'invalid_media' });
    await expect(join([clip, tone])).rejects.toMatchObject({ name: 'EngineError', code: 'invalid_media' });
  });

  async function brightWidths(file: string, width: number): Promise<number[]> {
    const line = flags`-i file:${file} -vf format=gray,crop=iw:1:0:ih/2 -pix_fmt gray -f rawvideo`;
    const bytes = await readFile(await fixture.createClip('line.raw', line));
    return Array.from({ length: bytes.length / width }, (_, frame) =>
      bytes.subarray(frame * width, (frame + 1) * width).reduce((sum, value) => sum + (value > 128 ? 1 : 0), 0),
    );
  }
});
