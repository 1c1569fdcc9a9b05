import { css, mixColors, type Color } from '../color/color.ts';
import { softEllipse } from './light.ts';
import type { Ctx } from './stage.ts';

/** All parts are in units of the head's height, with the chin at (0, 0), facing right. */
export interface Sitter {
  skin: Color;
  hair: Color;
  clothes: Color;
  long_hair: boolean;
  bun: boolean;
  hat: boolean;
  glasses: boolean;
  facing: 1 | -1;
}

/** In units of the head's height, chin at (0, 0), crown up. */
export function head(ctx: Ctx): void {
  ctx.beginPath();
  ctx.moveTo(-0.3, -0.62);
  ctx.bezierCurveTo(-0.34, -0.98, 0.32, -1.04, 0.35, -0.6);
  ctx.bezierCurveTo(0.36, -0.52, 0.345, -0.46, 0.33, -0.4);
  ctx.bezierCurveTo(0.3, -0.2, 0.2, -0.02, 0.07, 0);
  ctx.bezierCurveTo(-0.09, 0, -0.25, -0.15, -0.29, -0.38);
  ctx.bezierCurveTo(-0.32, -0.48, -0.3, -0.55, -0.3, -0.62);
  ctx.closePath();
}

export function neckAndShoulders(
  ctx: Ctx,
  sitter: Sitter,
  shade: Color,
  light: Color,
  ink: Color,
  bleed: number,
): void {
  const neck = ctx.createLinearGradient(-0.2, 0, 0.22, 0);
  neck.addColorStop(0, css(mixColors(sitter.skin, shade, 0.75)));
  neck.addColorStop(1, css(mixColors(sitter.skin, shade, 0.18)));
  ctx.fillStyle = neck;
  ctx.beginPath();
  ctx.moveTo(-0.19, -0.36);
  ctx.bezierCurveTo(-0.17, 0, -0.18, 0.12, -0.34, 0.24);
  ctx.lineTo(0.36, 0.24);
  ctx.bezierCurveTo(0.19, 0.12, 0.15, 0.02, 0.15, -0.12);
  ctx.fill();
  softEllipse(ctx, 0.03, -0.02, 0.22, 0.1, ink, 0.4);
  const cloth = ctx.createLinearGradient(-0.9, 0.2, 0.9, 0.6);
  cloth.addColorStop(0, css(mixColors(sitter.clothes, ink, 0.5)));
  cloth.addColorStop(0.55, css(sitter.clothes));
  cloth.addColorStop(1, css(mixColors(sitter.clothes, light, 0.28)));
  ctx.fillStyle = cloth;
  ctx.beginPath();
  ctx.moveTo(-0.27, 0.17);
  ctx.bezierCurveTo(-0.5, 0.28, -0.88, 0.3, -0.97, 0.72);
  ctx.lineTo(-1.02, 1.2 + bleed);
  ctx.lineTo(1.04, 1.2 + bleed);
  ctx.lineTo(0.99, 0.72);
  ctx.bezierCurveTo(0.9, 0.3, 0.52, 0.27, 0.29, 0.17);
  ctx.bezierCurveTo(0.16, 0.34, -0.14, 0.34, -0.27, 0.17);
  ctx.fill();
  ctx.strokeStyle = css(mixColors(sitter.clothes, light, 0.4), 0.6);
  ctx.lineWidth = 0.012;
  ctx.beginPath();
  ctx.moveTo(-0.29, 0.19);
  ctx.bezierCurveTo(-0.15, 0.38, 0.17, 0.38, 0.31, 0.19);
  ctx.stroke();
  for (const [x, bend] of [
    [-0.62, 0.1],
    [0.66, -0.08],
  ] as const) {
    ctx.strokeStyle = css(mixColors(sitter.clothes, ink, 0.55), 0.5);
    ctx.beginPath();
    ctx.moveTo(x, 0.62);
    ctx.quadraticCurveTo(x + bend, 0.85, x + bend * 0.4, 1.25);
    ctx.stroke();
  }
}

export function backHair(ctx: Ctx, sitter: Sitter, ink: Color): void {
  const tone = ctx.createLinearGradient(-0.5, 0, 0.5, 0);
  tone.addColorStop(0, css(mixColors(sitter.hair, ink, 0.4)));
  tone.addColorStop(1, css(sitter.hair));
  ctx.fillStyle = tone;
  ctx.beginPath();
  ctx.moveTo(0.2, -0.98);
  ctx.bezierCurveTo(-0.5, -1.16, -0.56, -0.5, -0.5, -0.1);
  ctx.bezierCurveTo(-0.48, 0.2, -0.62, 0.42, -0.46, 0.66);
  ctx.bezierCurveTo(-0.2, 0.78, 0.3, 0.7, 0.44, 0.5);
  ctx.bezierCurveTo(0.5, 0.2, 0.42, -0.1, 0.42, -0.5);
  ctx.fill();
}

export function frontHair(ctx: Ctx, sitter: Sitter, light: Color): void {
  const tone = ctx.createLinearGradient(-0.4, -1.05, 0.4, -0.5);
  tone.addColorStop(0, css(sitter.hair));
  tone.addColorStop(0.6, css(mixColors(sitter.hair, light, 0.14)));
  tone.addColorStop(1, css(mixColors(sitter.hair, light, 0.32)));
  ctx.fillStyle = tone;
  ctx.beginPath();
  ctx.moveTo(0.33, -0.62);
  ctx.bezierCurveTo(0.46, -1.12, -0.06, -1.2, -0.28, -1.02);
  ctx.bezierCurveTo(-0.52, -0.86, -0.44, -0.5, -0.33, -0.26);
  ctx.bezierCurveTo(-0.31, -0.4, -0.3, -0.46, -0.27, -0.5);
  ctx.bezierCurveTo(-0.22, -0.66, -0.1, -0.8, 0.08, -0.84);
  ctx.bezierCurveTo(0.2, -0.86, 0.28, -0.76, 0.33, -0.62);
  ctx.fill();
  ctx.lineWidth = 0.008;
  for (let strand = 0; strand < 9; strand++) {
    const t = strand / 8;
    ctx.strokeStyle = css(mixColors(sitter.hair, light, 0.45), 0.28);
    ctx.beginPath();
    ctx.moveTo(0.26 - t * 0.1, -0.86 - t * 0.14);
    ctx.bezierCurveTo(
      0.05 - t * 0.1,
      -1.02 - t * 0.06,
      -0.25 - t * 0.1,
      -0.95 + t * 0.1,
      -0.31 - t * 0.05,
      -0.5 + t * 0.1,
    );
    ctx.stroke();
  }
}

export function paintGlasses(ctx: Ctx, ink: Color): void {
  ctx.strokeStyle = css(ink, 0.9);
  ctx.lineWidth = 0.018;
  ctx.beginPath();
  ctx.ellipse(-0.02, -0.47, 0.125, 0.115, 0, 0, 7);
  ctx.moveTo(0.365, -0.47);
  ctx.ellipse(0.25, -0.47, 0.115, 0.115, 0, 0, 7);
  ctx.moveTo(0.105, -0.49);
  ctx.quadraticCurveTo(0.12, -0.53, 0.135, -0.49);
  ctx.moveTo(-0.145, -0.48);
  ctx.lineTo(-0.31, -0.52);
  ctx.stroke();
}

export function paintHat(ctx: Ctx, sitter: Sitter, color: Color, ink: Color): void {
  ctx.fillStyle = css(mixColors(color, ink, 0.15));
  ctx.beginPath();
  ctx.moveTo(-0.36, -0.84);
  ctx.bezierCurveTo(-0.34, -1.35, 0.34, -1.4, 0.38, -0.86);
  ctx.fill();
  ctx.fillStyle = css(mixColors(sitter.clothes, ink, 0.45));
  ctx.beginPath();
  ctx.moveTo(-0.37, -0.84);
  ctx.quadraticCurveTo(0, -0.93, 0.385, -0.86);
  ctx.lineTo(0.37, -0.98);
  ctx.quadraticCurveTo(0, -1.04, -0.36, -0.96);
  ctx.fill();
  ctx.fillStyle = css(color);
  ctx.beginPath();
  ctx.ellipse(0.01, -0.85, 0.68, 0.13, 0.02, 0, 7);
  ctx.fill();
  softEllipse(ctx, 0.05, -0.72, 0.4, 0.1, ink, 0.4);
}
