import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { flags } from '#server/media/flags.ts';
import { probeFile } from '#server/media/probe-file.ts';
import { clickTrack, numberedFrames, openClipFixture, type ClipFixture } from '../testing/clip-fixture.ts';

let lab: ClipFixture;
beforeAll(async () => {
  lab = await openClipFixture();
});
afterAll(() => lab.close());

const X264 = flags('-c:v libx264 -preset ultrafast -qp 10 -pix_fmt yuv420p');
const picture = (size: string, rate: string, seconds: number): string[] =>
  flags`-f lavfi -i ${numberedFrames(size, rate, seconds)}`;
const sound = (seconds: number): string[] => flags`-f lavfi -i ${clickTrack(seconds)} -c:a aac`;
const join = (files: readonly string[]) =>
  lab.run('video.concat', Object.fromEntries(files.map((file, index) => [`videos.${index}`, file])), {});
const range = (count: number, step = 1): number[] =>
  Array.from({ length: count }, (_, index) => Math.floor(index * step));

describe('video.concat', { timeout: 120_000 }, () => {
  it('puts clips of every kind one after another, to the frame, sound in its place', async () => {
    const clips = [
      await lab.createClip('a.mp4', [...picture('320x180', '30', 2), ...sound(2), ...X264]),
      await lab.createClip('b.mp4', [...picture('320x180', '30', 1.5), ...X264]),
      await lab.createClip('c.mkv', [...picture('640x360', '30', 2), ...sound(2), ...X264]),
      await lab.createClip('d.mp4', [...picture('320x180', '15', 2), ...sound(2), ...X264]),
      await lab.createClip('e.mov', [...picture('320x180', '60', 1), ...sound(1), ...X264]),
    ];
    const { files, data } = await join(clips);
    const [file = ''] = files;
    const numbers = await lab.frameNumbers(file);
    expect(numbers).toHaveLength(255);
    expect(numbers.slice(0, 165)).toEqual([...range(60), ...range(45), ...range(60)]);
    expect(numbers.slice(165, 225)).toEqual(range(60, 0.5));
    // Of twice as many frames every other is shown, whichever of the pair.
    for (const [index, number] of numbers.slice(225).entries())
      expect(Math.abs(number - 2 * index)).toBeLessThanOrEqual(1);
    expect(data).toEqual({ duration_seconds: 8.5 });
    const media = await probeFile(lab.tools, file);
    expect(media).toMatchObject({ mime_type: 'video/mp4', width: 320, height: 180, fps: 30, has_audio: true });
    expect(media.duration_seconds).toBeCloseTo(8.5, 2);
    const heard = await lab.clicks(file);
    const expected = [0, 1, 3.5, 4.5, 5.5, 6.5, 7.5];
    expect(heard).toHaveLength(expected.length);
    for (const [index, at] of expected.entries()) expect(Math.abs((heard[index] ?? 99) - at)).toBeLessThan(0.02);
  });

  it('keeps silent clips silent', async () => {
    const clip = await lab.createClip('silent.mp4', [...picture('320x180', '24000/1001', 1), ...X264]);
    const { files } = await join([clip, clip]);
    expect(await probeFile(lab.tools, files[0] ?? '')).toMatchObject({ has_audio: false });
    expect(await lab.frameNumbers(files[0] ?? '')).toEqual([...range(24), ...range(24)]);
  });

  it('fits other shapes in with bars, going by what is seen', async () => {
    const white = (size: string): string[] => flags`-f lavfi -i color=white:s=${size}:r=10:d=0.5`;
    const wide = await lab.createClip('wide.mp4', [...white('320x180'), ...X264]);
    const flat = await lab.createClip('flat.mp4', [...white('320x180'), ...X264]);
    const tall = await lab.createClip('tall.mp4', flags`-i file:${flat} -c copy -metadata:s:v:0 rotate=90`);
    // Half as wide as it looks.
    const squeezed = await lab.createClip('squeezed.mp4', [...white('160x180'), '-vf', 'setsar=2', ...X264]);
    const { files } = await join([wide, tall, squeezed]);
    const widths = await brightWidths(files[0] ?? '', 320);
    expect(widths).toHaveLength(15);
    for (const [index, expected] of [320, 101, 320].entries()) {
      for (const width of widths.slice(index * 5, index * 5 + 5)) expect(Math.abs(width - expected)).toBeLessThan(3);
    }
  });

  it('takes them in the order of the input, ten after two', async () => {
    const shade = (level: string) =>
      lab.createClip(`${level}.mp4`, [...flags`-f lavfi -i color=0x${level.repeat(3)}:s=64x64:r=5:d=0.2`, ...X264]);
    const levels = ['20', '40', '60', '80', 'a0', 'c0', 'e0', 'f0'];
    const files: string[] = [];
    for (const level of levels) files.push(await shade(level));
    const joined = await join(files);
    const raw = await lab.createClip(
      'shades.raw',
      flags`-i file:${joined.files[0] ?? ''} -vf scale=1:1 -pix_fmt gray -f rawvideo`,
    );
    const seen = [...(await readFile(raw))];
    expect(seen).toHaveLength(8);
    expect(seen).toEqual(seen.toSorted((a, b) => a - b));
  });

  it('refuses a single clip and sound', async () => {
    const clip = await lab.createClip('x.mp4', [...picture('64x64', '10', 0.5), ...X264]);
    const tone = await lab.createClip('tone.mp3', flags`-f lavfi -i ${clickTrack(1)}`);
    await expect(join([clip])).rejects.toMatchObject({ name: 'EngineError', code: 'invalid_media' });
    await expect(join([clip, tone])).rejects.toMatchObject({ name: 'EngineError', code: 'invalid_media' });
  });

  /** How many pixels of the middle line are bright, for each frame. */
  async function brightWidths(file: string, width: number): Promise<number[]> {
    const line = flags`-i file:${file} -vf format=gray,crop=iw:1:0:ih/2 -pix_fmt gray -f rawvideo`;
    const bytes = await readFile(await lab.createClip('line.raw', line));
    return Array.from({ length: bytes.length / width }, (_, frame) =>
      bytes.subarray(frame * width, (frame + 1) * width).reduce((sum, value) => sum + (value > 128 ? 1 : 0), 0),
    );
  }
});
