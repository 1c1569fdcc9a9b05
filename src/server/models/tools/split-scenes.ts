import path from 'node:path';
import { runFfmpeg } from '#server/platform/media/ffmpeg.ts';
import { flags } from '#server/platform/media/flags.ts';
import type { MediaTools } from '#server/platform/media/media-tools.ts';
import type { EngineJob } from '#server/models/engine/engine.ts';
import { formatFfmpegSeconds } from './ffmpeg-encoding.ts';
import {
  createSceneScorer,
  differenceFromBefore,
  FLASH_FRAMES,
  FRAME_BYTES,
  type SceneScores,
  SCORE_HEIGHT,
  SCORE_WIDTH,
} from './scene-score.ts';
import { invalidInputError, type Tool } from './tool.ts';
import { changesOf } from './changes.ts';
import { clipChanges, cutClip, type FrameRange } from './trim.ts';
import { readVideo, type VideoSource } from './video-source.ts';

/** More scenes mean that the threshold is too low. */
const MAX_SCENES = 500;
/** Share of the progress for detection, before scenes are written. */
const SCORING_SHARE = 0.3;

/** Writes each scene as a frame-exact clip. Slow dissolves are not cuts. Spec: Task contracts: video.split_scenes */
export const splitScenes: Tool<'video.split_scenes'> = async (tools, job) => {
  const { threshold, minimum_scene_length_seconds } = job.input;
  const source = await readVideo(tools, job, 'video');
  const { per_second } = source.rate;
  const scores = await scoreFrames(tools, job, source, threshold);
  const totalFrameCount = scores.steps.length;
  if (totalFrameCount === 0) throw invalidInputError('The video contains no readable frame.');

  const cuts = findCuts(scores, threshold, Math.round(minimum_scene_length_seconds * per_second));
  if (cuts.length >= MAX_SCENES) {
    throw invalidInputError(
      `More than ${MAX_SCENES} scenes were found. Use a higher threshold or a longer minimum scene length.`,
    );
  }
  const ranges = rangesBetween(cuts, totalFrameCount);
  const files = await writeRanges(tools, job, source, ranges, totalFrameCount);
  const changes = changesOf(clipChanges(source, { first_frame: 0, frame_count: totalFrameCount }));
  const toSeconds = (frame: number): number => Math.round((frame / per_second) * 1e6) / 1e6;
  const scenes = ranges.map(({ first_frame, frame_count }, asset_index) => ({
    asset_index,
    start_seconds: toSeconds(first_frame),
    end_seconds: toSeconds(first_frame + frame_count),
    duration_seconds: toSeconds(frame_count),
  }));
  return {
    files,
    data: { scene_count: ranges.length, fps: per_second, total_frame_count: totalFrameCount, scenes, ...changes },
  };
};

async function scoreFrames(
  tools: MediaTools,
  job: EngineJob,
  source: VideoSource,
  threshold: number,
): Promise<SceneScores> {
  const scorer = createSceneScorer(threshold);
  const frame = Buffer.alloc(FRAME_BYTES);
  let filled = 0;
  const filters = `fps=${source.rate.text}:start_time=0,scale=${SCORE_WIDTH}:${SCORE_HEIGHT}:flags=fast_bilinear`;
  await runFfmpeg(tools, {
    args: flags`-noaccurate_seek -ss ${formatFfmpegSeconds(source.grid_seconds)} -i file:${source.file} -map 0:${source.stream.index}
      -vf ${filters} -pix_fmt rgb24 -f rawvideo pipe:1`,
    signal: job.signal,
    total_seconds: source.duration_seconds,
    onOutput(chunk) {
      for (let at = 0; at < chunk.length;) {
        const copied = chunk.copy(frame, filled, at);
        at += copied;
        filled += copied;
        if (filled < FRAME_BYTES) continue;
        filled = 0;
        scorer.add(frame);
      }
      job.onProgress(Math.min(1, scorer.scores.steps.length / source.frame_count) * SCORING_SHARE);
    },
  });
  return scorer.scores;
}

const rangesBetween = (cuts: readonly number[], total: number): FrameRange[] =>
  [0, ...cuts].map((first_frame, index) => ({ first_frame, frame_count: (cuts[index] ?? total) - first_frame }));

async function writeRanges(
  tools: MediaTools,
  job: EngineJob,
  source: VideoSource,
  ranges: readonly FrameRange[],
  total: number,
): Promise<string[]> {
  const files: string[] = [];
  for (const [index, range] of ranges.entries()) {
    const file = path.join(job.workDir, `scene-${String(index).padStart(3, '0')}.mp4`);
    const onProgress = (fraction: number): void =>
      job.onProgress(
        SCORING_SHARE + ((1 - SCORING_SHARE) * (range.first_frame + fraction * range.frame_count)) / total,
      );
    await cutClip(tools, source, range, { file, signal: job.signal, onProgress });
    files.push(file);
  }
  return files;
}

/** A cut differs from its neighboring frames; a pan or a fade does not. */
const CUT_RATIO = 2.5;
const NEIGHBOR_OFFSETS = [-2, -1, 1, 2];

/** Finds first frames of scenes after the first. @param threshold as a score @param shortestFrames below: joined */
function findCuts(scores: SceneScores, threshold: number, shortestFrames: number): number[] {
  const candidates = scores.steps.flatMap((step, at) => (step >= threshold && standsOut(scores.steps, at) ? [at] : []));
  return dropShort(dropFlashes(candidates, scores, threshold), scores.steps.length, shortestFrames);
}

function standsOut(steps: readonly number[], at: number): boolean {
  const neighbors = NEIGHBOR_OFFSETS.map((offset) => (at + offset < 1 ? undefined : steps[at + offset])).filter(
    (step) => step !== undefined,
  );
  const mean = neighbors.reduce((sum, step) => sum + step, 0) / Math.max(1, neighbors.length);
  return (steps[at] ?? 0) >= CUT_RATIO * mean;
}

/** A flash is two cuts close together, after which the original picture returns. */
function dropFlashes(cuts: readonly number[], scores: SceneScores, threshold: number): number[] {
  const cutsSoFar: number[] = [];
  for (const at of cuts) {
    const previous = cutsSoFar.at(-1);
    const isReturn =
      previous !== undefined && at - previous <= FLASH_FRAMES && differenceFromBefore(scores, at, previous) < threshold;
    if (isReturn) cutsSoFar.pop();
    else cutsSoFar.push(at);
  }
  return cutsSoFar;
}

function dropShort(cuts: readonly number[], frameCount: number, shortestFrames: number): number[] {
  const cutsSoFar: number[] = [];
  for (const at of cuts) if (at - (cutsSoFar.at(-1) ?? 0) >= shortestFrames) cutsSoFar.push(at);
  const last = cutsSoFar.at(-1);
  if (last !== undefined && frameCount - last < shortestFrames) cutsSoFar.pop();
  return cutsSoFar;
}
