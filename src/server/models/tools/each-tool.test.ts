import { afterAll, beforeAll, expect, it } from 'vitest';
import { flags } from '#server/platform/media/flags.ts';
import { probeFile } from '#server/platform/media/probe-file.ts';
import {
  clickTrack,
  numberedFrames,
  openClipFixture,
  type ClipFixture,
} from '#server/models/engine/testing/clip-fixture.ts';

const SECONDS = 2;
const FPS = 30;

let fixture: ClipFixture;
let clip: string;
beforeAll(async () => {
  fixture = await openClipFixture();
  clip = await fixture.createClip('clip.mp4', [
    ...flags`-f lavfi -i ${numberedFrames('320x180', String(FPS), SECONDS)}`,
    ...flags`-f lavfi -i ${clickTrack(SECONDS)}`,
    ...flags('-c:v libx264 -preset ultrafast -qp 10 -bf 3 -g 60 -pix_fmt yuv420p -c:a aac'),
  ]);
});
afterAll(() => fixture.close());

const frames = (from: number, to: number): number[] => Array.from({ length: to - from }, (_, index) => from + index);

it('trims a clip to exact frames and audio', async () => {
  const range = { start_seconds: 0.5, end_seconds: 1.5 };
  const { files, data } = await fixture.run('video.trim', { video: clip }, range);
  const [file = ''] = files;
  expect(await fixture.frameNumbers(file)).toEqual(frames(15, 45));
  expect(data).toMatchObject({ duration_seconds: 1, end_clamped: false });
  const [heard = 0, ...others] = await fixture.clicks(file);
  expect(others).toEqual([]);
  expect(Math.abs(heard - 0.5)).toBeLessThan(0.02);
});

it('joins clips with their audio', async () => {
  const { files } = await fixture.run('video.concat', { 'videos.0': clip, 'videos.1': clip }, {});
  const [file = ''] = files;
  expect(await fixture.frameNumbers(file)).toEqual([...frames(0, 60), ...frames(0, 60)]);
  expect(await fixture.clicks(file)).toHaveLength(4);
});

it('extracts audio', async () => {
  const { files } = await fixture.run('video.extract_audio', { video: clip }, { format: 'mp3', bitrate: '192k' });
  expect(await probeFile(fixture.tools, files[0] ?? '')).toMatchObject({ mime_type: 'audio/mpeg' });
  expect(await fixture.clicks(files[0] ?? '')).toHaveLength(SECONDS);
});

it('adds audio of another length to a clip, which keeps its own', async () => {
  const audio = await fixture.createClip('clicks.wav', flags`-f lavfi -i ${clickTrack(5)}`);
  const input = { mode: 'replace', audio_volume: 1, original_audio_volume: null };
  const { files } = await fixture.run('video.add_audio', { video: clip, audio }, input);
  const { duration_seconds } = await probeFile(fixture.tools, files[0] ?? '');
  expect(duration_seconds).toBeCloseTo(SECONDS, 1);
  expect(await fixture.frameNumbers(files[0] ?? '')).toEqual(frames(0, 60));
});

it('extracts the frame that is displayed', async () => {
  const { files } = await fixture.run(
    'video.extract_frame',
    { video: clip },
    { timestamp_seconds: 1.02, format: 'png' },
  );
  expect(await fixture.frameNumbers(files[0] ?? '')).toEqual([30]);
});

it('splits a clip at its cut', async () => {
  const shots = flags('-f lavfi -i testsrc2=s=320x180:r=25:d=1 -f lavfi -i smptehdbars=s=320x180:r=25:d=1');
  const joined = flags('-filter_complex concat=n=2:v=1 -c:v libx264 -preset ultrafast -pix_fmt yuv420p');
  const cut = await fixture.createClip('cut.mp4', [...shots, ...joined]);
  const input = { threshold: 20, minimum_scene_length_seconds: 0.5 };
  const { files, data } = await fixture.run('video.split_scenes', { video: cut }, input);
  expect(files).toHaveLength(2);
  expect(data).toMatchObject({ scene_count: 2, scenes: [{ start_seconds: 0 }, { start_seconds: 1 }] });
});
