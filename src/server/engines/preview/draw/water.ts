import { css, mixColors, type Color } from '../color/color.ts';
import { glow } from './light.ts';
import { createScratch, field, type Plane, type Stage } from './stage.ts';
import type { Sun } from './sky.ts';

export interface WaterLook {
  horizon: number;
  sun: Sun;
  deep: Color;
  /** 0: a mirror, 1: open water. */
  chop: number;
}

export function waterPlane(stage: Stage, look: WaterLook): Plane {
  const { palette } = stage;
  const area = field(stage);
  const bottom = area.y + area.height;
  const depth = bottom - look.horizon;
  const scratch = createScratch();
  const random = stage.random.fork('water');
  const sparkles = Array.from({ length: Math.round(260 * stage.detail) }, () => ({
    t: random.next() ** 1.6,
    side: random.range(-1, 1) * random.next(),
    phase: random.range(0, 7),
    length: random.range(0.5, 1.6),
  }));
  const ripples = Array.from({ length: Math.round(150 * stage.detail) }, () => ({
    x: area.x + random.next() * area.width,
    t: random.next() ** 1.4,
    phase: random.range(0, 7),
    light: random.chance(0.5),
  }));
  return {
    depth: 0.12,
    live: true,
    paint(ctx, time_s) {
      const matrix = ctx.getTransform();
      const waterline = Math.round(matrix.d * look.horizon + matrix.f);
      const width_px = ctx.canvas.width;
      const above = Math.min(waterline, ctx.canvas.height - waterline + 40);
      ctx.fillStyle = css(palette.sky[2]);
      ctx.fillRect(area.x, look.horizon, area.width, depth);
      if (above > 2) {
        const copy = scratch(width_px / 2, above / 2);
        copy.ctx.drawImage(
          ctx.canvas,
          0,
          waterline - above,
          width_px,
          above,
          0,
          0,
          copy.canvas.width,
          copy.canvas.height,
        );
        ctx.save();
        ctx.resetTransform();
        const rows = ctx.canvas.height - waterline;
        let y = 0;
        while (y < rows) {
          const near = y / rows;
          const strip = Math.max(1, Math.round((1 + near * 5) * (stage.scale / 1.4)));
          const wave =
            Math.sin(y / (stage.scale * (3 + near * 16)) + time_s * 1.7) +
            0.6 * Math.sin(y / (stage.scale * (7 + near * 5)) - time_s * 1.1);
          const shift_x = wave * stage.scale * (0.6 + near * 9) * (0.35 + look.chop);
          const stretch = 1 + look.chop * near * 0.8;
          const source = Math.min(
            copy.canvas.height - 1,
            Math.max(0, copy.canvas.height - 1 - (y / stretch + wave * near * 5 * stage.scale) / 2),
          );
          ctx.drawImage(
            copy.canvas,
            0,
            source,
            copy.canvas.width,
            1,
            shift_x - 8,
            waterline + y,
            width_px + 16,
            strip + 0.5,
          );
          y += strip;
        }
        ctx.restore();
      }
      const veil = ctx.createLinearGradient(0, look.horizon, 0, bottom);
      veil.addColorStop(0, css(mixColors(look.deep, palette.sky[2], 0.75), 0.12));
      veil.addColorStop(0.25, css(look.deep, 0.22 + look.chop * 0.25));
      veil.addColorStop(1, css(look.deep, 0.62 + look.chop * 0.25));
      ctx.fillStyle = veil;
      ctx.fillRect(area.x, look.horizon, area.width, depth);
      for (const ripple of ripples) {
        const y = look.horizon + ripple.t * depth;
        const length = 6 + ripple.t * 90;
        const sway = Math.sin(time_s * 0.8 + ripple.phase) * 4 * (0.3 + ripple.t);
        ctx.fillStyle = css(
          ripple.light ? palette.sky[2] : look.deep,
          (0.05 + 0.1 * look.chop) * (0.6 + 0.4 * Math.sin(time_s + ripple.phase)),
        );
        ctx.beginPath();
        ctx.ellipse(ripple.x + sway, y, length, 0.5 + ripple.t * 1.6, 0, 0, 7);
        ctx.fill();
      }
      ctx.globalCompositeOperation = 'screen';
      for (const sparkle of sparkles) {
        const y = look.horizon + 1 + sparkle.t * depth * 0.9;
        const spread = look.sun.radius * (0.55 + sparkle.t * (1.6 + look.chop * 1.6));
        const flicker = 0.5 + 0.5 * Math.sin(time_s * 2.6 + sparkle.phase * 5);
        ctx.fillStyle = css(
          palette.light,
          (0.16 + 0.5 * flicker) * (1 - sparkle.t * 0.75) * (palette.night ? 0.6 : 0.9),
        );
        ctx.beginPath();
        ctx.ellipse(
          look.sun.x + sparkle.side * spread,
          y,
          sparkle.length * (2.5 + sparkle.t * 17),
          0.5 + sparkle.t * 1.5,
          0,
          0,
          7,
        );
        ctx.fill();
      }
      glow(ctx, look.sun.x, look.horizon, look.sun.radius * 4.5, palette.light, 0.25);
      ctx.globalCompositeOperation = 'source-over';
    },
  };
}
