import { readdir, readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { runFfmpeg } from '#server/platform/media/ffmpeg.ts';
import { flags } from '#server/platform/media/flags.ts';
import {
  meanDifference,
  openPreviewFixture,
  smallRgb,
  type PreviewFixture,
} from '#server/models/engine/testing/preview-fixture.ts';

/** Clips take seconds of processor time on a busy test machine. */
vi.setConfig({ testTimeout: 180_000, hookTimeout: 60_000 });

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

async function loudnessOf(file: string): Promise<number> {
  let text = '';
  await runFfmpeg(studio.tools, {
    trusted: true,
    args: flags`-i file:${file} -af ebur128=metadata=1,ametadata=print:key=lavfi.r128.I:file=- -f null -`,
    onOutput: (chunk) => void (text += chunk.toString()),
  });
  return Number(/.*lavfi\.r128\.I=(-?[\d.]+)/s.exec(text)?.[1]);
}

describe('a clip', () => {
  test('has the requested size, length, rate and audio, is marked and streamable', async () => {
    const progress: number[] = [];
    const input = {
      prompt: 'waves at sunset',
      aspect_ratio: '16:9',
      duration_seconds: 4,
      resolution: '480p',
      generate_audio: true,
    };
    const made = await studio.run(
      'video.create',
      'vidmodel-c-2',
      input,
      {},
      { onProgress: (fraction) => progress.push(fraction) },
    );
    expect(made.media).toMatchObject({ width: 854, height: 480, fps: 24, has_audio: true, mime_type: 'video/mp4' });
    expect(Math.abs((made.media.duration_seconds ?? 0) - 4)).toBeLessThan(1 / 24);
    const bytes = await readFile(made.file);
    expect(bytes.indexOf('moov')).toBeLessThan(bytes.indexOf('mdat'));
    expect(bytes.includes('Emulsion preview engine')).toBe(true);
    expect(await left(made.workDir)).toEqual(['video.mp4']);
    expect(progress.length).toBeGreaterThan(4);
    expect(progress).toEqual(progress.toSorted((a, b) => a - b));
    expect(progress.at(-1)).toBe(1);
    expect(Math.abs((await loudnessOf(made.file)) - -16)).toBeLessThan(2.5);
    const moved = meanDifference(await studio.readFrame(made.file, 0, 96), await studio.readFrame(made.file, -1, 96));
    expect(moved).toBeGreaterThan(1.5);
  });

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

  test('can be silent and shows references', async () => {
    const blue = await studio.createPicture('blue.png', '300x300', '#1010e0');
    const made = await studio.run(
      'video.edit',
      'vidmodel-c-2.5',
      { prompt: 'let it snow', resolution: '480p', generate_audio: false },
      { video: clip, 'reference_images.0': blue },
    );
    expect(made.media).toMatchObject({ has_audio: false });
    expect(made.data).toMatchObject({ sound: 'none', references_shown: 1 });
    expect(await left(made.workDir)).toEqual(['video.mp4']);
  });

  test('rejects a clip that is too short', async () => {
    const short = await studio.createFile(
      'short.mp4',
      flags('-f lavfi -i testsrc2=s=160x90:d=2:r=10 -c:v libx264 -preset ultrafast'),
    );
    const running = studio.run('video.edit', 'vidmodel-c-2.5', { prompt: 'warmer' }, { video: short });
    await expect(running).rejects.toMatchObject({
      code: 'invalid_media',
      message: 'The video to edit must be 4 to 30 seconds long.',
    });
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
