import { FLASH_FRAMES, differenceFromBefore, type SceneScores } from './scene-score.ts';

/** A cut stands out from the frames around it; a pan or a fade does not. */
const CUT_RATIO = 2.5;
const NEIGHBOR_OFFSETS = [-2, -1, 1, 2];

/**
 * The frames with which a new scene begins, rising, the first frame of the video not among them.
 * @param threshold least difference of a cut, in the score's own measure
 * @param shortest_frames a scene shorter than this is joined to its neighbour
 */
export function findCuts(scores: SceneScores, threshold: number, shortest_frames: number): number[] {
  const sudden = scores.steps.flatMap((step, at) => (step >= threshold && standsOut(scores.steps, at) ? [at] : []));
  return dropShort(dropFlashes(sudden, scores, threshold), scores.steps.length, shortest_frames);
}

function standsOut(steps: readonly number[], at: number): boolean {
  const around = NEIGHBOR_OFFSETS.map((offset) => (at + offset < 1 ? undefined : steps[at + offset])).filter(
    (step) => step !== undefined,
  );
  const mean = around.reduce((sum, step) => sum + step, 0) / Math.max(1, around.length);
  return (steps[at] ?? 0) >= CUT_RATIO * mean;
}

/** A flash is two cuts close together, after which the picture is again what it was before. */
function dropFlashes(cuts: readonly number[], scores: SceneScores, threshold: number): number[] {
  const kept: number[] = [];
  for (const at of cuts) {
    const before = kept.at(-1);
    const is_return =
      before !== undefined && at - before <= FLASH_FRAMES && differenceFromBefore(scores, at, before) < threshold;
    if (is_return) kept.pop();
    else kept.push(at);
  }
  return kept;
}

function dropShort(cuts: readonly number[], frame_count: number, shortest_frames: number): number[] {
  const kept: number[] = [];
  for (const at of cuts) if (at - (kept.at(-1) ?? 0) >= shortest_frames) kept.push(at);
  const last = kept.at(-1);
  if (last !== undefined && frame_count - last < shortest_frames) kept.pop();
  return kept;
}
