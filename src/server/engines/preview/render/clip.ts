import { smoothstep } from '../draw/noise.ts';
import { bloom, grain, vignette } from '../draw/finish.ts';
import { printPlanes } from '../draw/prints.ts';
import { bitmap, type Bitmap, type Ctx, type Stage } from '../draw/stage.ts';
import { applyStyle } from '../draw/style.ts';
import { weatherPlanes } from '../draw/weather.ts';
import { buildScene } from '../scenes/scenes.ts';
import { bleedFor, cameraAt, STILL_CAMERA } from './camera.ts';
import { cachePlane, type CachedPlane } from './cached-plane.ts';
import { createDissolve, createPhoto } from './photo.ts';
import type { ClipRequest } from './protocol.ts';
import { createStage } from './still.ts';

export interface ClipPainter {
  canvas: Bitmap;
  /** @param index 0 to `frames` - 1 */
  paint(index: number): void;
}

/** Duration in which overlays fade in after a given first frame and out before a given last frame. */
const FADE_S = 0.8;

/** Animates a scene. A first frame starts unchanged in its place; a last frame dissolves in and ends unchanged. */
export function createClip(request: ClipRequest): ClipPainter {
  const { width_px, height_px, fps, frames, brief } = request;
  const duration_s = frames / fps;
  const stage = createStage({ ...request, cutout: false });
  stage.bleed = bleedFor(stage.width, stage.height);
  const { canvas, ctx } = bitmap(width_px, height_px);
  const overlay = bitmap(width_px, height_px);
  const first = request.first && createPhoto(request.first, brief.move);
  const last = request.last && createPhoto(request.last, brief.move);
  const dissolve = last && createDissolve(width_px, height_px, brief.seed & 0xffff);
  const scene = (first ? weatherPlanes(stage) : buildScene(stage)).map((plane) => cachePlane(stage, plane));
  const prints = printPlanes(stage, request.prints, request.boxes).map((plane) => cachePlane(stage, plane));
  const reach = Math.min(1.25, 0.55 + duration_s / 14);

  const onOverlay = (strength: number, paint: (layer: Ctx) => void): void => {
    if (strength <= 0) return;
    overlay.ctx.resetTransform();
    overlay.ctx.clearRect(0, 0, width_px, height_px);
    overlay.ctx.setTransform(stage.scale, 0, 0, stage.scale, 0, 0);
    paint(overlay.ctx);
    ctx.resetTransform();
    ctx.globalAlpha = strength;
    ctx.drawImage(overlay.canvas, 0, 0);
    ctx.globalAlpha = 1;
  };

  if (request.veil) return createVeil(request, stage, { canvas, ctx, prints });

  return {
    canvas,
    paint(index) {
      const time_s = index / fps;
      const part = frames > 1 ? index / (frames - 1) : 0;
      const since_first = first ? smoothstep(0, FADE_S, time_s) : 1;
      const until_last = last ? smoothstep(0, FADE_S, (frames - 1 - index) / fps) : 1;
      const life = Math.min(since_first, until_last);
      const camera = cameraAt(stage, brief.move, part, reach);
      if (first) {
        first(ctx, part);
        onOverlay(life, (layer) => scene.forEach((plane) => plane.paint(layer, time_s, duration_s, camera)));
      } else {
        ctx.setTransform(stage.scale, 0, 0, stage.scale, 0, 0);
        for (const plane of scene) plane.paint(ctx, time_s, duration_s, camera);
        bloom(ctx, 0.2 * life);
        applyStyle(ctx, stage);
      }
      if (last && dissolve && part > 0.3) {
        last(overlay.ctx, (1 - part) ** 1.5);
        dissolve(ctx, overlay.canvas, smoothstep(0.34, 0.86, part));
      }
      if (prints.length > 0) {
        onOverlay(life, (layer) => prints.forEach((plane) => plane.paint(layer, time_s, duration_s, STILL_CAMERA)));
      }
      if (life > 0) {
        vignette(ctx, 0.3 * life);
        grain(ctx, 0.11 * life, stage.scale * 0.75, index);
      }
    },
  };
}

function createVeil(
  { fps, frames, width_px, height_px }: ClipRequest,
  stage: Stage,
  { canvas, ctx, prints }: { canvas: Bitmap; ctx: Ctx; prints: readonly CachedPlane[] },
): ClipPainter {
  const planes = [...weatherPlanes(stage).map((plane) => cachePlane(stage, plane)), ...prints];
  return {
    canvas,
    paint(index) {
      ctx.resetTransform();
      ctx.clearRect(0, 0, width_px, height_px);
      ctx.setTransform(stage.scale, 0, 0, stage.scale, 0, 0);
      for (const plane of planes) plane.paint(ctx, index / fps, frames / fps, STILL_CAMERA);
    },
  };
}
