import { toRgb, type Color } from '../color/color.ts';
import { fbm, smoothstep } from './noise.ts';
import { shade } from './shade.ts';
import { field, type Bitmap, type Plane, type Stage } from './stage.ts';

export function mistSheet(seed: number, color: Color): Bitmap {
  const [r, g, b] = toRgb(color);
  return shade(220, 56, (u, v, out) => {
    const wisp = smoothstep(0.38, 0.78, fbm(u * 7, v * 2.6, seed, 4));
    const band = Math.sin(Math.PI * v) ** 1.4;
    out[0] = r;
    out[1] = g;
    out[2] = b;
    out[3] = wisp * band;
  });
}

export function mistPlane(
  stage: Stage,
  sheet: Bitmap,
  options: { y: number; thick: number; strength: number; depth: number; flip: boolean },
): Plane {
  const area = field(stage);
  return {
    depth: options.depth,
    drift: { x: options.flip ? -7 : 7, y: 0 },
    paint(ctx) {
      ctx.globalAlpha = options.strength;
      ctx.imageSmoothingQuality = 'high';
      if (options.flip) {
        ctx.translate(stage.width, 0);
        ctx.scale(-1, 1);
      }
      ctx.drawImage(sheet, area.x, options.y - options.thick / 2, area.width, options.thick);
    },
  };
}
