import path from 'node:path';
import { cutClip } from './cut-clip.ts';
import { readVideo, displaySeconds } from './video-source.ts';
import { invalidInputError, type Tool } from './tool.ts';

/**
 * A part of a video, exact to the frame. An end past the clip's end is clamped, which `data` says.
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
  const wanted_end = Math.round(end_seconds * per_second);
  const end_frame = Math.min(Math.max(wanted_end, first_frame + 1), source.frame_count);
  const part = { first_frame, frame_count: end_frame - first_frame };
  const file = path.join(job.work_dir, 'trimmed.mp4');
  await cutClip(tools, source, part, { file, signal: job.signal, onProgress: job.onProgress });
  return {
    files: [file],
    data: {
      duration_seconds: rounded(part.frame_count / per_second),
      start_seconds: rounded(first_frame / per_second),
      end_seconds: rounded(end_frame / per_second),
      end_clamped: wanted_end > source.frame_count,
    },
  };
};

const rounded = (seconds: number): number => Math.round(seconds * 1e6) / 1e6;
