import type { Move } from '../brief/lexicon.ts';
import type { Ctx, Stage } from '../draw/stage.ts';

/** Total movement over a clip: shares of the shorter side (x, y) and growth (zoom). */
const MOVES = {
  push_in: { x: 0.02, y: -0.01, zoom: 0.16 },
  pull_out: { x: -0.02, y: 0.01, zoom: -0.15 },
  pan_left: { x: 0.17, y: 0, zoom: 0.03 },
  pan_right: { x: -0.17, y: 0, zoom: 0.03 },
  rise: { x: 0.02, y: 0.15, zoom: 0.03 },
  sink: { x: -0.02, y: -0.14, zoom: 0.02 },
  locked: { x: 0, y: 0, zoom: 0 },
} as const satisfies Record<Move, { x: number; y: number; zoom: number }>;

/** Camera at a fraction of a clip: nearer planes move more, which gives depth. */
export interface Camera {
  apply(ctx: Ctx, depth: number): void;
}

const ease = (t: number): number => 0.35 * t + 0.65 * (t * t * (3 - 2 * t));

export function cameraAt(stage: Stage, move: Move, part: number, reach: number): Camera {
  const path = MOVES[move];
  const along = ease(part) - 0.5;
  const short = Math.min(stage.width, stage.height);
  return {
    apply(ctx, depth) {
      const near = 0.12 + 0.88 * depth;
      const zoom = 1 + Math.abs(path.zoom) * reach * 0.5 * near + path.zoom * reach * along * near;
      ctx.translate(stage.width / 2, stage.height * 0.52);
      ctx.scale(zoom, zoom);
      ctx.translate(
        -stage.width / 2 + path.x * short * along * near * reach,
        -stage.height * 0.52 + path.y * short * along * near * reach,
      );
    },
  };
}

/** For planes in front of the scene. */
export const STILL_CAMERA: Camera = { apply: () => undefined };

/** Bleed that every move needs, in units. */
export const bleedFor = (width: number, height: number): number => Math.min(width, height) * 0.13;
