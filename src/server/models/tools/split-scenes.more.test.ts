import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { flags } from '#server/platform/media/flags.ts';
import { probeFile } from '#server/platform/media/probe-file.ts';
import { clickTrack, openClipFixture, type ClipFixture } from '#server/models/engine/testing/clip-fixture.ts';

let fixture: ClipFixture;
beforeAll(async () => {
  fixture = await openClipFixture();
});
afterAll(() => fixture.close());

const X264 = flags('-c:v libx264 -preset ultrafast -crf 23 -pix_fmt yuv420p');
const DEFAULTS = { threshold: 20, minimum_scene_length_seconds: 0 };
const split = (video: string, input: Partial<typeof DEFAULTS> = {}) =>
  fixture.run('video.split_scenes', { video }, { ...DEFAULTS, ...input });

interface Scenes {
  scene_count: number;
  fps: number;
  total_frame_count: number;
  scenes: { asset_index: number; start_seconds: number; end_seconds: number; duration_seconds: number }[];
}
const scenesOf = ({ data }: { data: unknown }): Scenes => data as Scenes;
const startsOf = (result: { data: unknown }): number[] =>
  scenesOf(result).scenes.map(({ start_seconds }) => start_seconds);

const SHOTS: [source: string, frames: number][] = [
  ['testsrc2=s=320x180:r=25', 30],
  ['mandelbrot=s=320x180:r=25', 17],
  ['smptehdbars=s=320x180:r=25', 40],
  ['color=c=0x203050:s=320x180:r=25,noise=alls=20:allf=t', 12],
  ['testsrc=s=320x180:r=25', 25],
  ['rgbtestsrc=s=320x180:r=25', 9],
  ['color=c=0xd0c090:s=320x180:r=25,noise=alls=20:allf=t', 33],
  ['life=s=320x180:r=25:mold=10:ratio=0.1:death_color=#C83232:life_color=#00ff00', 20],
  ['yuvtestsrc=s=320x180:r=25', 28],
  ['cellauto=s=320x180:r=25:rule=110', 14],
  ['testsrc2=s=320x180:r=25,hue=h=120', 31],
];

function cutTogether(shots: typeof SHOTS): { args: string[]; starts: number[] } {
  const chains = shots.map(
    ([source, frames], index) => `${source},trim=end_frame=${frames},setpts=PTS-STARTPTS,format=yuv420p[s${index}]`,
  );
  const pads = shots.map((_, index) => `[s${index}]`).join('');
  const graph = `${chains.join(';')};${pads}concat=n=${shots.length}:v=1:a=0[v]`;
  const starts = shots.map((_, index) => shots.slice(0, index).reduce((sum, [, frames]) => sum + frames, 0));
  return { args: [...flags`-filter_complex ${graph} -map [v]`, ...X264], starts };
}

describe('video.split_scenes', () => {
  it('finds every cut and writes each scene with exact frames', async () => {
    const { args, starts } = cutTogether(SHOTS);
    const clip = await fixture.createClip('shots.mp4', args);
    const result = await split(clip);
    const found = scenesOf(result);
    expect(startsOf(result)).toEqual(starts.map((frame) => frame / 25));
    expect(found).toMatchObject({ scene_count: SHOTS.length, fps: 25, total_frame_count: 259 });
    expect(result.files).toHaveLength(SHOTS.length);
    for (const [index, file] of result.files.entries()) {
      const length = (SHOTS[index]?.[1] ?? 0) / 25;
      expect(found.scenes[index]).toMatchObject({ asset_index: index, duration_seconds: length });
      expect((await probeFile(fixture.tools, file)).duration_seconds).toBeCloseTo(length, 2);
    }
  });

  it.each([
    [
      'a pan',
      'mandelbrot=s=1280x360:r=25:maxiter=200:end_scale=0.3,trim=end_frame=1,loop=100:1,setpts=N/25/TB,crop=320:180:n*8:90',
    ],
    ['a fade out and in of one second', 'testsrc2=s=320x180:r=25:d=6,fade=out:st=1:d=1,fade=in:st=3:d=1'],
    ['a zoom', 'testsrc2=s=640x360:r=25:d=3,trim=end_frame=1,loop=75:1,zoompan=z=1+on/50:d=1:s=320x180:fps=25'],
    ['noise', 'color=gray:s=320x180:r=25:d=3,noise=alls=60:allf=t'],
    ['a flash of two frames', "testsrc2=s=320x180:r=25:d=3,drawbox=c=white:t=fill:enable='between(n,30,31)'"],
  ])('does not treat %s as a cut', async (_name, source) => {
    const clip = await fixture.createClip('smooth.mp4', [...flags`-f lavfi -i ${source} -t 4`, ...X264]);
    expect(startsOf(await split(clip))).toEqual([0]);
  });

  it('joins scenes below the minimum length to their neighbors', async () => {
    const { args } = cutTogether(SHOTS.slice(0, 4));
    const clip = await fixture.createClip('four.mp4', args);
    expect(startsOf(await split(clip, { minimum_scene_length_seconds: 1 }))).toEqual([0, 30 / 25]);
    expect(startsOf(await split(clip, { minimum_scene_length_seconds: 60 }))).toEqual([0]);
  });

  it('finds more cuts with a lower threshold', async () => {
    const grey = (level: string): [string, number] => [`color=c=0x${level.repeat(3)}:s=320x180:r=25`, 20];
    const clip = await fixture.createClip('greys.mp4', cutTogether([grey('40'), grey('58'), grey('c0')]).args);
    expect(startsOf(await split(clip))).toEqual([0, 1.6]);
    expect(startsOf(await split(clip, { threshold: 5 }))).toEqual([0, 0.8, 1.6]);
  });

  it('keeps video and audio in sync in each scene', async () => {
    const shot = (color: string, seconds: number): string => `color=${color}:s=320x180:r=30:d=${seconds}`;
    const graph = `${shot('0x303030', 1.5)}[a];${shot('0xa0a040', 2.5)}[b];[a][b]concat=n=2:v=1:a=0[v]`;
    const args = flags`-f lavfi -i ${clickTrack(4)} -filter_complex ${graph} -map [v] -map 0 ${X264} -c:a aac`;
    const clip = await fixture.createClip('sound.mp4', args);
    const { files } = await split(clip);
    expect(files).toHaveLength(2);
    const heard = await fixture.clicks(files[1] ?? '');
    for (const [index, at] of [0.5, 1.5].entries()) expect(Math.abs((heard[index] ?? 99) - at)).toBeLessThan(0.02);
  });
});
