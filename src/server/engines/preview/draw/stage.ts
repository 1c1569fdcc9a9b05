import { createCanvas, type Canvas, type SKRSContext2D } from '@napi-rs/canvas';
import type { Brief } from '../brief/brief.ts';
import type { Palette } from '../color/moods.ts';
import type { Random } from '../random.ts';

export type Ctx = SKRSContext2D;
export type Bitmap = Canvas;

/** Lengths are in units: a frame holds a million square units, so a unit is the same share of every aspect ratio. */
export interface Stage {
  width: number;
  height: number;
  scale: number;
  /** How far planes extend past each side of the frame, so that the camera can move. */
  bleed: number;
  palette: Palette;
  brief: Brief;
  random: Random;
  detail: number;
  /** Paints only the subject, on a transparent background. */
  cutout: boolean;
}

export interface Plane {
  /** 0: infinitely far, 1: nearest. Determines how much the camera moves the plane. */
  depth: number;
  /** Depends on time or on the planes below, so it is never cached as a bitmap. */
  live?: boolean;
  blend?: 'screen' | 'multiply' | 'soft-light' | 'destination-in';
  /** Units per second that it glides. */
  drift?: { x: number; y: number };
  /** Vertical offset at a time, in units. */
  float?(time_s: number): number;
  paint(ctx: Ctx, time_s: number): void;
}

export type SceneBuilder = (stage: Stage) => Plane[];

export function bitmap(width_px: number, height_px: number): { canvas: Canvas; ctx: Ctx } {
  const canvas = createCanvas(Math.max(1, Math.round(width_px)), Math.max(1, Math.round(height_px)));
  return { canvas, ctx: canvas.getContext('2d') };
}

/** Returns one cleared canvas again and again: new ones per frame would pile up, their memory is outside the heap. */
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

export const field = (stage: Stage): { x: number; y: number; width: number; height: number } => ({
  x: -stage.bleed,
  y: -stage.bleed,
  width: stage.width + 2 * stage.bleed,
  height: stage.height + 2 * stage.bleed,
});
