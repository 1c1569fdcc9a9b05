import { FLASH_FRAMES, differenceFromBefore, type SceneScores } from './scene-score.ts';

/** A cut differs from its neighboring frames; a pan or a fade does not. */
const CUT_RATIO = 2.5;
const NEIGHBOR_OFFSETS = [-2, -1, 1, 2];

/**
 * Finds the first frames of new scenes, ascending, without the first frame of the video.
 * @param threshold least difference of a cut, as a score
 * @param shortest_frames a shorter scene is joined to its neighbor
 */
export function findCuts(scores: SceneScores, threshold: number, shortest_frames: number): number[] {
  const candidates = scores.steps.flatMap((step, at) => (step >= threshold && standsOut(scores.steps, at) ? [at] : []));
  return dropShort(dropFlashes(candidates, scores, threshold), scores.steps.length, shortest_frames);
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
  const cuts_so_far: number[] = [];
  for (const at of cuts) {
    const previous = cuts_so_far.at(-1);
    const is_return =
      previous !== undefined && at - previous <= FLASH_FRAMES && differenceFromBefore(scores, at, previous) < threshold;
    if (is_return) cuts_so_far.pop();
    else cuts_so_far.push(at);
  }
  return cuts_so_far;
}

function dropShort(cuts: readonly number[], frame_count: number, shortest_frames: number): number[] {
  const cuts_so_far: number[] = [];
  for (const at of cuts) if (at - (cuts_so_far.at(-1) ?? 0) >= shortest_frames) cuts_so_far.push(at);
  const last = cuts_so_far.at(-1);
  if (last !== undefined && frame_count - last < shortest_frames) cuts_so_far.pop();
  return cuts_so_far;
}
