import { removeBackground, type BackgroundRemoval } from '../edit/remove-background.ts';
import { paintLook } from '../edit/apply-look.ts';
import { hangPrints, printPlanes } from '../draw/prints.ts';
import { bitmap, type Bitmap } from '../draw/stage.ts';
import { weatherPlanes } from '../draw/weather.ts';
import type { EditRequest } from './protocol.ts';
import { createStage, paintPlane } from './still.ts';

export function renderEdit(request: EditRequest): { canvas: Bitmap; cut: BackgroundRemoval | null } {
  const stage = createStage(request);
  const { canvas, ctx } = bitmap(request.width_px, request.height_px);
  const cut = request.cutout ? removeBackground(request.base) : null;
  const look = request.cutout ? { ...request.look, vignette: 0, grain: 0 } : request.look;
  paintLook(ctx, request.base, look);
  ctx.scale(stage.scale, stage.scale);
  if (!request.cutout) for (const plane of weatherPlanes(stage)) paintPlane(ctx, plane);
  for (const plane of printPlanes(stage, request.prints, hangPrints(stage, request.prints, 'along the foot')))
    paintPlane(ctx, plane);
  return { canvas, cut };
}
