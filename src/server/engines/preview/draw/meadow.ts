import { css, lighten, mixColors } from '../color/color.ts';
import type { Ridge } from './ridge.ts';
import type { Ctx, Stage } from './stage.ts';

export function paintMeadow(ctx: Ctx, stage: Stage, ridge: Ridge): void {
  const { palette, width, height } = stage;
  const random = stage.random.fork('meadow');
  const flowers = [palette.accent, palette.accent_2, palette.light] as const;
  const blades = Math.round(2600 * stage.detail);
  ctx.lineCap = 'round';
  for (let index = 0; index < blades; index++) {
    const t = (index / blades) ** 0.8;
    const x = random.range(-stage.bleed, width + stage.bleed);
    const y = ridge.at(x) + (height + stage.bleed * 0.6 - ridge.at(x)) * t + 3;
    const tall = 5 + 26 * t * random.range(0.5, 1.2);
    const bend = random.range(-0.5, 0.5) * tall + tall * 0.18;
    const tone = mixColors(
      palette.near,
      mixColors(palette.mid, palette.light, 0.35),
      random.next() ** 2.2 * 0.8 * (1 - t * 0.5),
    );
    ctx.strokeStyle = css(tone, 0.85);
    ctx.lineWidth = 0.5 + t * 1.5;
    ctx.beginPath();
    ctx.moveTo(x, y);
    ctx.quadraticCurveTo(x + bend * 0.2, y - tall * 0.6, x + bend, y - tall);
    ctx.stroke();
    if (random.chance(0.085)) {
      ctx.fillStyle = css(lighten(random.pick(flowers), random.range(-0.05, 0.05)), 0.95);
      ctx.beginPath();
      ctx.ellipse(x + bend, y - tall, 0.9 + t * 3.2, 0.8 + t * 2.4, random.range(-1, 1), 0, 7);
      ctx.fill();
    }
  }
}
