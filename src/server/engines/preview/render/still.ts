import { bloom, grain, vignette } from '../draw/finish.ts';
import { hangPrints, printPlanes } from '../draw/prints.ts';
import { bitmap, type Bitmap, type Ctx, type Plane, type Stage } from '../draw/stage.ts';
import { applyStyle } from '../draw/style.ts';
import { createRandom } from '../random.ts';
import { buildScene } from '../scenes/scenes.ts';
import type { StillRequest } from './protocol.ts';

type FrameOptions = Pick<StillRequest, 'brief' | 'width_px' | 'height_px' | 'detail' | 'cutout'>;

export function createStage(request: FrameOptions, bleed = 0): Stage {
  const scale = Math.sqrt((request.width_px * request.height_px) / 1e6);
  return {
    width: request.width_px / scale,
    height: request.height_px / scale,
    scale,
    bleed,
    palette: request.brief.palette,
    brief: request.brief,
    random: createRandom(request.brief.seed),
    detail: request.detail,
    cutout: request.cutout,
  };
}

export function paintPlane(ctx: Ctx, plane: Plane): void {
  ctx.save();
  if (plane.blend) ctx.globalCompositeOperation = plane.blend;
  plane.paint(ctx, 0);
  ctx.restore();
}

export function renderStill(request: StillRequest): Bitmap {
  const stage = createStage(request);
  const { canvas, ctx } = bitmap(request.width_px, request.height_px);
  ctx.scale(stage.scale, stage.scale);
  for (const plane of buildScene(stage)) paintPlane(ctx, plane);
  if (!request.cutout) {
    bloom(ctx, 0.22);
    applyStyle(ctx, stage);
    vignette(ctx, 0.34);
  }
  for (const plane of printPlanes(stage, request.prints, hangPrints(stage, request.prints, 'in the middle')))
    paintPlane(ctx, plane);
  if (!request.cutout) grain(ctx, 0.16, stage.scale * 0.75);
  return canvas;
}
