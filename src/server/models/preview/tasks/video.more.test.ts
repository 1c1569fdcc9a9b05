import { readdir } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { flags } from '#server/platform/media/flags.ts';
import {
  meanDifference,
  openPreviewFixture,
  smallRgb,
  type PreviewFixture,
} from '#server/models/engine/testing/preview-fixture.ts';

/** Clips take seconds of processor time on a busy test machine. */
/** Below the limit of the interface, for tests that do not check the length. */
const SHORT_SECONDS = 1;
const SHORT_FRAMES = SHORT_SECONDS * 24;

let studio: PreviewFixture;
let clip: string;
beforeAll(async () => {
  studio = await openPreviewFixture();
  clip = await studio.createFile(
    'clip.mp4',
    flags(
      '-f lavfi -i testsrc2=s=320x180:d=4.2:r=25 -f lavfi -i sine=440:d=4.2 -c:v libx264 -preset ultrafast -c:a aac',
    ),
  );
});
afterAll(() => studio.close());

const left = (folder: string): Promise<string[]> => readdir(folder);

describe('a clip', () => {
  test('has the size of other models and reports its seed', async () => {
    const input = { prompt: 'portrait of a man', aspect_ratio: '9:16', duration_seconds: SHORT_SECONDS, seed: null };
    const made = await studio.run('video.create', 'omni-video', input);
    expect(made.media).toMatchObject({ width: 720, height: 1280, has_audio: true });
    expect(made.data?.['seed']).toBeTypeOf('number');
  });

  test('differs from one generation to the next', async () => {
    const input = {
      prompt: 'hills',
      aspect_ratio: '1:1',
      duration_seconds: SHORT_SECONDS,
      resolution: '480p',
      generate_audio: false,
    };
    const frameOf = async (generation_id: string) => {
      const made = await studio.run('video.create', 'vidmodel-c-2-mini', input, {}, { generation_id });
      return studio.readFrame(made.file, 0, SHORT_FRAMES);
    };
    expect(meanDifference(await frameOf('gen_1'), await frameOf('gen_2'))).toBeGreaterThan(2);
  });

  test('starts and ends on the given frames', async () => {
    const first = await studio.createFile(
      'first.png',
      flags('-f lavfi -i testsrc=s=640x360 -vf gblur=sigma=14 -frames:v 1'),
    );
    const last = await studio.createFile(
      'last.png',
      flags('-f lavfi -i mandelbrot=s=640x360 -vf gblur=sigma=14 -frames:v 1'),
    );
    const input = {
      prompt: 'let it snow',
      aspect_ratio: 'adaptive',
      duration_seconds: SHORT_SECONDS,
      resolution: '480p',
      generate_audio: false,
    };
    const made = await studio.run('video.create', 'vidmodel-c-2.5', input, { first_frame: first, last_frame: last });
    expect(made.media).toMatchObject({ width: 854, height: 480, has_audio: false });
    expect(meanDifference(await studio.readFrame(made.file, 0, SHORT_FRAMES), await smallRgb(first))).toBeLessThan(3);
    expect(meanDifference(await studio.readFrame(made.file, -1, SHORT_FRAMES), await smallRgb(last))).toBeLessThan(3);
    expect(
      meanDifference(await studio.readFrame(made.file, SHORT_FRAMES / 2, SHORT_FRAMES), await smallRgb(first)),
    ).toBeGreaterThan(8);
  });

  test('includes reference images, videos and their audio', async () => {
    const red = await studio.createPicture('red.png', '400x400', '#e01010');
    const voice = await studio.createFile('voice.wav', flags('-f lavfi -i sine=1000:d=2'));
    const input = {
      prompt: 'fog',
      aspect_ratio: '1:1',
      duration_seconds: SHORT_SECONDS,
      resolution: '480p',
      generate_audio: true,
    };
    const made = await studio.run('video.create', 'vidmodel-c-2-mini', input, {
      'reference_images.0': red,
      'reference_videos.0': clip,
      'reference_audio.0': voice,
    });
    expect(made.media).toMatchObject({ width: 480, height: 480, has_audio: true });
    expect(made.data).toMatchObject({ references_shown: 2 });
    const frame = await studio.readFrame(made.file, SHORT_FRAMES / 4, SHORT_FRAMES);
    let reds = 0;
    let greens = 0;
    for (let at = 0; at < frame.length; at += 3) {
      const [r = 0, g = 0, b = 0] = frame.subarray(at, at + 3);
      if (r > 170 && g < 80 && b < 80) reds += 1;
      if (g > 170 && r < 80 && b < 80) greens += 1;
    }
    expect(reds).toBeGreaterThan(60);
    expect(greens).toBeGreaterThan(15);
    expect(await left(made.workDir)).toEqual(['video.mp4']);
  });

  test('stops drawing frames when aborted', async () => {
    const stop = new AbortController();
    const afterAbort: number[] = [];
    const input = {
      prompt: 'a city',
      aspect_ratio: '16:9',
      duration_seconds: 8,
      resolution: '720p',
      generate_audio: false,
    };
    const running = studio.run(
      'video.create',
      'vidmodel-c-2',
      input,
      {},
      {
        signal: stop.signal,
        onProgress: (fraction) => {
          if (stop.signal.aborted) afterAbort.push(fraction);
          else if (fraction > 0.06) stop.abort(new Error('stopped'));
        },
      },
    );
    await expect(running).rejects.toThrow('stopped');
    expect(afterAbort.every((fraction) => fraction < 0.5)).toBe(true);
  });
});

describe('an edit', () => {
  test('keeps length, ratio and audio, and leaves the clip recognizable', async () => {
    const made = await studio.run(
      'video.edit',
      'vidmodel-c-2.5',
      { prompt: 'make it black and white', resolution: '480p', generate_audio: true },
      { video: clip },
    );
    expect(made.media).toMatchObject({ width: 854, height: 480, fps: 25, has_audio: true });
    expect(Math.abs((made.media.duration_seconds ?? 0) - 4.2)).toBeLessThan(0.05);
    const difference = meanDifference(
      await studio.readFrame(made.file, 30, 105),
      await studio.readFrame(clip, 30, 105),
    );
    expect(difference).toBeGreaterThan(2);
    expect(difference).toBeLessThan(45);
    expect(made.data).toMatchObject({ sound: 'kept' });
  });
});

describe('lip sync', () => {
  const LENGTHS = { cut_off: [1, 1.8], silence: [1.8, 1.8], loop: [1, 3], bounce: [1, 3], remap: [1, 3] } as const;
  let talk: string;
  let short: string;
  let long: string;
  beforeAll(async () => {
    talk = await studio.createFile(
      'talk.mp4',
      flags('-f lavfi -i testsrc2=s=160x90:d=1.8:r=25 -c:v libx264 -preset ultrafast'),
    );
    short = await studio.createFile('short.wav', flags('-f lavfi -i sine=800:d=1'));
    long = await studio.createFile('long.wav', flags('-f lavfi -i sine=800:d=3'));
  });

  const cases = Object.entries(LENGTHS).flatMap(([mode, [with_short, with_long]]) => [
    [mode, 'longer', with_long] as const,
    ...(mode === 'remap' || mode === 'bounce' ? [] : [[mode, 'shorter', with_short] as const]),
  ]);
  test.each(cases)('%s with %s sound', async (sync_mode, kind, wanted) => {
    const audio = kind === 'longer' ? long : short;
    const made = await studio.run('video.lipsync', 'lipsync-v3', { sync_mode }, { video: talk, audio });
    expect(Math.abs((made.media.duration_seconds ?? 0) - wanted)).toBeLessThan(0.05);
    expect(made.media).toMatchObject({ width: 160, height: 90, has_audio: true });
    expect(made.data).toMatchObject({ sync_mode, mouth_animated: false });
    expect(await left(made.workDir)).toEqual(['video.mp4']);
  });

  test('bounce plays the clip forward and backward', async () => {
    const made = await studio.run('video.lipsync', 'lipsync-v3', { sync_mode: 'bounce' }, { video: talk, audio: long });
    const [forth, back] = await Promise.all([studio.readFrame(made.file, 20, 75), studio.readFrame(made.file, 69, 75)]);
    expect(meanDifference(forth, back)).toBeLessThan(3);
  });
});
