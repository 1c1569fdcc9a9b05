import path from 'node:path';
import { cutClip } from './cut-clip.ts';
import { readVideo, displaySeconds } from './video-source.ts';
import { invalidInputError, type Tool } from './tool.ts';

/**
 * Cuts a frame-exact part of a video. An end past the video is clamped and reported in `data`.
 * Spec: Task contracts: video.trim. Decision: Tools
 */
export const trim: Tool<'video.trim'> = async (tools, job) => {
  const { start_seconds, end_seconds } = job.input;
  if (end_seconds <= start_seconds) throw invalidInputError('The end must be after the start.');
  const source = await readVideo(tools, job, 'video');
  const { per_second } = source.rate;
  const first_frame = Math.round(start_seconds * per_second);
  if (start_seconds >= source.duration_seconds || first_frame >= source.frame_count) {
    throw invalidInputError(
      `The start is at or past the end of the video, which is ${displaySeconds(source.duration_seconds)} s long.`,
    );
  }
  const requested_end = Math.round(end_seconds * per_second);
  const end_frame = Math.min(Math.max(requested_end, first_frame + 1), source.frame_count);
  const range = { first_frame, frame_count: end_frame - first_frame };
  const file = path.join(job.work_dir, 'trimmed.mp4');
  await cutClip(tools, source, range, { file, signal: job.signal, onProgress: job.onProgress });
  return {
    files: [file],
    data: {
      duration_seconds: roundSeconds(range.frame_count / per_second),
      start_seconds: roundSeconds(first_frame / per_second),
      end_seconds: roundSeconds(end_frame / per_second),
      end_clamped: requested_end > source.frame_count,
    },
  };
};

const roundSeconds = (seconds: number): number => Math.round(seconds * 1e6) / 1e6;
