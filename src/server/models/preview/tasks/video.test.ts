import { readdir, readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runFfmpeg } from '#server/platform/media/ffmpeg.ts';
import { flags } from '#server/platform/media/flags.ts';
import {
  meanDifference,
  openPreviewFixture,
  type PreviewFixture,
} from '#server/models/engine/testing/preview-fixture.ts';

/** Clips take seconds of processor time on a busy test machine. */
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
});

describe('an edit', () => {
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
  test('cuts the clip to the sound', async () => {
    const talk = await studio.createFile(
      'talk.mp4',
      flags('-f lavfi -i testsrc2=s=160x90:d=1.8:r=25 -c:v libx264 -preset ultrafast'),
    );
    const audio = await studio.createFile('short.wav', flags('-f lavfi -i sine=800:d=1'));
    const made = await studio.run('video.lipsync', 'lipsync-v3', { sync_mode: 'cut_off' }, { video: talk, audio });
    expect(Math.abs((made.media.duration_seconds ?? 0) - 1)).toBeLessThan(0.05);
    expect(made.media).toMatchObject({ width: 160, height: 90, has_audio: true });
    expect(made.data).toMatchObject({ sync_mode: 'cut_off', mouth_animated: false });
  });
});
