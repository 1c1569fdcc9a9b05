import path from 'node:path';
import { runFfmpeg } from '#server/media/ffmpeg.ts';
import { flags } from '#server/media/flags.ts';
import type { MediaTools } from '#server/media/media-tools.ts';
import type { FrameRate } from '../../tools/frame-rate.ts';
import { SCRATCH_CODEC } from './normalize-clip.ts';

/** Frames held in memory at a time: a whole clip of 1080p would need gigabytes. */
const CHUNK_FRAMES = 30;

/** Reverses a clip in chunks. @returns the chunks in playing order */
export async function reverseClip(
  tools: MediaTools,
  options: { clip: string; frame_count: number; rate: FrameRate; scratch: string; signal: AbortSignal },
): Promise<string[]> {
  const { clip, frame_count, rate, scratch, signal } = options;
  const pieces: string[] = [];
  for (let from = 0; from < frame_count; from += CHUNK_FRAMES) {
    const count = Math.min(CHUNK_FRAMES, frame_count - from);
    const file = path.join(scratch, `back-${from}.mp4`);
    // Half a frame early, so that the wanted frame is the first one after it however times are rounded.
    const start_seconds = Math.max(0, (from - 0.5) / rate.per_second);
    await runFfmpeg(tools, {
      trusted: true,
      signal,
      args: flags`-ss ${start_seconds.toFixed(6)} -i file:${clip} -vf ${`trim=end_frame=${count},reverse,setpts=N/(${rate.text})/TB`}
        -frames:v ${count} -an ${SCRATCH_CODEC} file:${file}`,
    });
    pieces.unshift(file);
  }
  return pieces;
}
