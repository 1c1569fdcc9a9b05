import { bitmap, field, type Bitmap, type Ctx, type Plane, type Stage } from '../draw/stage.ts';
import type { Camera } from './camera.ts';

/** A plane of a clip: what does not change is painted once, with its bleed, and then only moved. */
export interface KeptPlane {
  paint(ctx: Ctx, time_s: number, duration_s: number, camera: Camera): void;
}

export function keepPlane(stage: Stage, plane: Plane): KeptPlane {
  let kept: Bitmap | undefined;
  const area = field(stage);
  const rasterise = (): Bitmap => {
    const { canvas, ctx } = bitmap(area.width * stage.scale, area.height * stage.scale);
    ctx.scale(stage.scale, stage.scale);
    ctx.translate(-area.x, -area.y);
    plane.paint(ctx, 0);
    return canvas;
  };
  return {
    paint(ctx, time_s, duration_s, camera) {
      ctx.save();
      camera.apply(ctx, plane.depth);
      const { x, y } = glide(stage, plane, time_s, duration_s);
      ctx.translate(x, y + (plane.float?.(time_s) ?? 0));
      if (plane.blend) ctx.globalCompositeOperation = plane.blend;
      if (plane.live) plane.paint(ctx, time_s);
      else {
        kept ??= rasterise();
        ctx.imageSmoothingQuality = 'low';
        ctx.drawImage(kept, area.x, area.y, area.width, area.height);
      }
      ctx.restore();
    },
  };
}

/** A drift starts and ends at equal distances from its middle, and never shows the edge of what was painted. */
function glide(stage: Stage, plane: Plane, time_s: number, duration_s: number): { x: number; y: number } {
  if (!plane.drift) return { x: 0, y: 0 };
  const farthest = (Math.hypot(plane.drift.x, plane.drift.y) * duration_s) / 2;
  const slowed = Math.min(1, (stage.bleed * 0.6) / Math.max(1, farthest));
  const since = (time_s - duration_s / 2) * slowed;
  return { x: plane.drift.x * since, y: plane.drift.y * since };
}
