import { createCanvas, type Canvas, type SKRSContext2D } from '@napi-rs/canvas';
import type { Brief } from '../brief/brief.ts';
import type { Palette } from '../color/moods.ts';
import type { Random } from '../random.ts';

export type Ctx = SKRSContext2D;
export type Bitmap = Canvas;

/**
 * What a scene is built for. Lengths are in units: the frame is `width` × `height` units and always holds a million
 * square units, so that a unit is the same share of every shape of picture.
 */
export interface Stage {
  width: number;
  height: number;
  /** Pixels per unit. */
  scale: number;
  /** How far planes are painted past each side of the frame, so that the camera may move. */
  bleed: number;
  palette: Palette;
  brief: Brief;
  random: Random;
  /** About 0.7 (low quality) to 1.6 (maximum): how much fine detail to paint. */
  detail: number;
  /** Only the subject, on nothing: the picture has a transparent background. */
  cutout: boolean;
}

/** One sheet of a scene, painted back to front. */
export interface Plane {
  /** 0: infinitely far, 1: nearest. Sets how much the camera moves it. */
  depth: number;
  /** It changes with time, or looks at what is painted below it: never kept as a bitmap. */
  live?: boolean;
  /** How it joins what is below it; over it where not said. */
  blend?: 'screen' | 'multiply' | 'soft-light' | 'destination-in';
  /** Units per second that it glides. */
  drift?: { x: number; y: number };
  /** Units that it bobs up and down by at a time. */
  float?(time_s: number): number;
  paint(ctx: Ctx, time_s: number): void;
}

export type SceneBuilder = (stage: Stage) => Plane[];

/** A canvas of at least one pixel each way, with its context. */
export function bitmap(width_px: number, height_px: number): { canvas: Canvas; ctx: Ctx } {
  const canvas = createCanvas(Math.max(1, Math.round(width_px)), Math.max(1, Math.round(height_px)));
  return { canvas, ctx: canvas.getContext('2d') };
}

/**
 * A canvas that is used again and again, for what is painted anew in every frame: memory outside of the heap would else
 * pile up until it is noticed. It comes back clear.
 */
export function createScratch(): (width_px: number, height_px: number) => { canvas: Canvas; ctx: Ctx } {
  let kept: { canvas: Canvas; ctx: Ctx } | undefined;
  return (width_px, height_px) => {
    const [width, height] = [Math.max(1, Math.round(width_px)), Math.max(1, Math.round(height_px))];
    if (!kept || kept.canvas.width !== width || kept.canvas.height !== height) {
      kept = bitmap(width, height);
      return kept;
    }
    kept.ctx.resetTransform();
    kept.ctx.globalCompositeOperation = 'source-over';
    kept.ctx.globalAlpha = 1;
    kept.ctx.clearRect(0, 0, width, height);
    return kept;
  };
}

/** The frame and its bleed. */
export const field = (stage: Stage): { x: number; y: number; width: number; height: number } => ({
  x: -stage.bleed,
  y: -stage.bleed,
  width: stage.width + 2 * stage.bleed,
  height: stage.height + 2 * stage.bleed,
});
