import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { flags } from './flags.ts';
import type { MediaTools } from './media-tools.ts';
import { probeFile } from './probe-file.ts';
import { createPeakCollector, readPeaks } from './read-peaks.ts';
import { createMedia } from './testing/create-media.ts';
import { sharedMediaTools } from './testing/shared-media-tools.ts';
import { inspectVideo, extractPoster, createVideoPreview } from './video-derivatives.ts';

let tools: MediaTools;
let folder: string;
const signal = new AbortController().signal;
beforeAll(async () => {
  tools = await sharedMediaTools();
  folder = await mkdtemp(path.join(tmpdir(), 'glance-'));
});
afterAll(() => rm(folder, { recursive: true }));

const make = (name: string, line: string): Promise<string> => createMedia(path.join(folder, name), flags(line));

async function glance(file: string) {
  const { width, height, duration_seconds } = await probeFile(tools, file);
  const source = { file, width: width ?? 0, height: height ?? 0, duration_seconds: duration_seconds ?? 0 };
  const video = await inspectVideo(tools, source, { signal });
  const [poster, preview] = [`${file}.png`, `${file}.preview`];
  await extractPoster(tools, video, poster, { side: 500, signal });
  await createVideoPreview(tools, video, preview, { signal });
  return {
    poster: await sharp(poster).metadata(),
    mean: (await sharp(poster).stats()).channels[0]?.mean ?? 0,
    preview: await probeFile(tools, preview),
  };
}

describe('a video', () => {
  it('has a poster after its black start and a short silent preview', async () => {
    const line =
      '-f lavfi -i testsrc2=s=640x360:r=20:d=4 -f lavfi -i sine=d=4 -vf fade=in:0:10 -c:v libx264 -preset ultrafast -pix_fmt yuv420p -c:a aac';
    const { poster, mean, preview } = await glance(await make('fade.mp4', line));
    expect([poster.width, poster.height]).toEqual([500, 282]);
    expect(mean).toBeGreaterThan(60);
    expect(preview).toMatchObject({ kind: 'video', mime_type: 'video/mp4', width: 480, height: 270, has_audio: false });
    expect(preview.duration_seconds).toBeCloseTo(3, 1);
    expect(preview.size_bytes).toBeLessThan(300_000);
  });

  it('is upright with even sides and never enlarged', async () => {
    const flat = await make('flat.mp4', '-f lavfi -i testsrc2=s=90x50:r=10:d=0.3 -c:v libx264 -pix_fmt yuv420p');
    const { poster, preview } = await glance(
      await make('turned.mp4', `-i file:${flat} -c copy -metadata:s:v:0 rotate=90`),
    );
    const size = [50, 90];
    expect([poster.width, poster.height]).toEqual(size);
    expect([preview.width, preview.height]).toEqual(size);
  });

  it('of one frame has both', async () => {
    const { poster, preview } = await glance(
      await make('one.mp4', '-f lavfi -i testsrc2=s=64x36:r=1:d=1 -c:v libx264 -pix_fmt yuv420p'),
    );
    expect([poster.width, preview.kind]).toEqual([64, 'video']);
  });

  it('rejects unreadable files and stops when aborted', async () => {
    const file = path.join(folder, 'broken.mp4');
    await writeFile(file, 'no video');
    const video = { file, width: 64, height: 36, duration_seconds: 1, isHdr: false };
    const output = path.join(folder, 'none.png');
    await expect(extractPoster(tools, video, output, { side: 960, signal })).rejects.toMatchObject({
      name: 'MediaError',
    });
    await expect(stat(output)).rejects.toMatchObject({ code: 'ENOENT' });
    const canceled = AbortSignal.abort(new Error('canceled'));
    await expect(extractPoster(tools, video, output, { side: 960, signal: canceled })).rejects.toThrow('canceled');
  });
});

describe('audio', () => {
  it('has peaks where it is loud', async () => {
    const file = await make('sound.wav', '-f lavfi -i sine=d=4 -af volume=enable=lt(t\\,2):volume=0.05 -c:a pcm_s16le');
    const peaks = await readPeaks(tools, file, { signal });
    expect(peaks).toHaveLength(400);
    const [quiet, loud] = [peaks.slice(10, 190), peaks.slice(210, 390)].map((part) => Math.max(...part));
    expect(loud).toBeGreaterThan(10 * (quiet ?? 1));
    expect(Math.min(...peaks)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...peaks)).toBeLessThanOrEqual(1);
  });

  it('has at most 1,000 peaks at any length without losing loud moments', () => {
    for (const length of [0, 1, 79, 80, 80_000, 80_040, 1_234_567, 10_000_000]) {
      const { add, peaks } = createPeakCollector();
      for (let at = 0; at < length; at += 1) add(at === Math.floor(length / 3) ? 9 : 1);
      expect(peaks().length).toBeGreaterThan(length >= 80_000 ? 499 : 0);
      expect(peaks().length).toBeLessThanOrEqual(1_000);
      const highest = peaks().indexOf(9);
      if (length > 80_000) expect(highest / peaks().length).toBeCloseTo(1 / 3, 2);
    }
  });
});
