import { Path2D } from '@napi-rs/canvas';
import { css, lighten, mixColors, type Color } from '../color/color.ts';
import { fillPath, glow } from './light.ts';
import type { Ctx } from './stage.ts';
import type { SubjectForms, SubjectLook } from './subject.ts';
import { paintPalm } from './palm.ts';
import { broadleaf } from './trees.ts';

const sideLit = (ctx: Ctx, half: number, color: Color, look: SubjectLook): ReturnType<Ctx['createLinearGradient']> => {
  const [lit, dark] = look.light_from_left ? [-half, half] : [half, -half];
  const gradient = ctx.createLinearGradient(lit, 0, dark, 0);
  gradient.addColorStop(0, css(mixColors(color, look.light, 0.45)));
  gradient.addColorStop(0.45, css(color));
  gradient.addColorStop(1, css(mixColors(color, look.ink, 0.6)));
  return gradient;
};

const lamp = (ctx: Ctx, x: number, y: number, width: number, height: number, look: SubjectLook): void => {
  const warm = mixColors(look.light, look.accent_2, 0.35);
  ctx.fillStyle = css(lighten(warm, 0.03));
  ctx.fillRect(x, y, width, height);
  glow(ctx, x + width / 2, y + height / 2, Math.max(width, height) * 2.6, warm, 0.55);
};

function tower(ctx: Ctx, x: number, width: number, tall: number, color: Color, look: SubjectLook): void {
  ctx.save();
  ctx.translate(x, 0);
  ctx.fillStyle = sideLit(ctx, width / 2, color, look);
  ctx.fillRect(-width / 2, -tall, width, tall);
  for (let notch = 0; notch < 3; notch++)
    ctx.fillRect(-width / 2 + (notch * width) / 2.6, -tall - width * 0.18, width * 0.24, width * 0.2);
  ctx.fillStyle = sideLit(ctx, width * 0.62, mixColors(look.accent, look.ink, 0.35), look);
  ctx.beginPath();
  ctx.moveTo(-width * 0.62, -tall - width * 0.1);
  ctx.lineTo(0, -tall - width * 1.5);
  ctx.lineTo(width * 0.62, -tall - width * 0.1);
  ctx.fill();
  lamp(ctx, -width * 0.09, -tall * 0.72, width * 0.18, width * 0.34, look);
  ctx.restore();
}

export const LANDMARKS: SubjectForms<
  'lighthouse' | 'cabin' | 'castle' | 'tent' | 'tree' | 'palm' | 'turbine' | 'bridge'
> = {
  lighthouse: {
    medium: 'site',
    height: 0.32,
    paint(ctx, look, _random, time_s) {
      const turn = 0.75 + 0.25 * Math.sin(time_s * 1.1);
      ctx.globalCompositeOperation = 'screen';
      for (const side of [-1, 1]) {
        const beam = ctx.createLinearGradient(0, 0, side * 240, 0);
        beam.addColorStop(0, css(look.light, (look.night ? 0.75 : 0.4) * turn));
        beam.addColorStop(1, css(look.light, 0));
        ctx.fillStyle = beam;
        ctx.beginPath();
        ctx.moveTo(0, -92);
        ctx.lineTo(side * 240, -92 - 26);
        ctx.lineTo(side * 240, -92 + 26);
        ctx.fill();
      }
      ctx.globalCompositeOperation = 'source-over';
      const wall = lighten(look.light, -0.03);
      for (let band = 0; band < 5; band++) {
        const y = -82 + band * 16.4;
        const top = 8 + (y + 82) * 0.062;
        const bottom = 8 + (y + 98.4) * 0.062;
        ctx.fillStyle = sideLit(ctx, 13, band % 2 === 0 ? wall : look.accent, look);
        ctx.beginPath();
        ctx.moveTo(-top, y);
        ctx.lineTo(top, y);
        ctx.lineTo(bottom, y + 16.6);
        ctx.lineTo(-bottom, y + 16.6);
        ctx.fill();
      }
      ctx.fillStyle = css(look.dark);
      ctx.fillRect(-11.5, -85, 23, 3.4);
      lamp(ctx, -5.6, -96, 11.2, 11, look);
      ctx.fillStyle = sideLit(ctx, 8, mixColors(look.accent, look.ink, 0.3), look);
      fillPath(ctx, 'M-8,-96 C-7,-104 7,-104 8,-96 Z M-0.6,-109 L0.6,-109 L0.6,-101 L-0.6,-101 Z');
      glow(ctx, 0, -91, 36, look.light, 0.9);
    },
  },
  cabin: {
    medium: 'site',
    height: 0.12,
    paint(ctx, look) {
      ctx.fillStyle = sideLit(ctx, 62, mixColors(look.dark, look.accent, 0.4), look);
      ctx.fillRect(-58, -52, 116, 54);
      ctx.strokeStyle = css(look.ink, 0.35);
      ctx.lineWidth = 1;
      for (let plank = 1; plank < 6; plank++) ctx.strokeRect(-58, -52 + plank * 9, 116, 0.2);
      ctx.fillStyle = css(mixColors(look.dark, look.ink, 0.35));
      fillPath(ctx, 'M36,-96 L50,-96 L50,-70 L36,-70 Z');
      ctx.fillStyle = sideLit(ctx, 76, mixColors(look.dark, look.ink, 0.2), look);
      fillPath(ctx, 'M-74,-48 L-28,-94 L32,-94 L74,-48 Z');
      lamp(ctx, -38, -36, 19, 17, look);
      lamp(ctx, 22, -36, 19, 17, look);
      ctx.fillStyle = css(look.ink, 0.85);
      ctx.fillRect(-9, -38, 18, 40);
    },
  },
  castle: {
    medium: 'site',
    height: 0.26,
    paint(ctx, look) {
      const stone = mixColors(look.dark, look.light, 0.22);
      tower(ctx, -8, 16, 82, mixColors(stone, look.ink, 0.15), look);
      tower(ctx, 30, 13, 62, mixColors(stone, look.ink, 0.1), look);
      ctx.fillStyle = sideLit(ctx, 64, stone, look);
      fillPath(
        ctx,
        'M-64,2 L-64,-34 L-56,-34 L-56,-38 L-48,-38 L-48,-34 L-38,-34 L-38,-38 L-30,-38 L-30,-34 L-18,-34 L-18,-38 L-8,-38 L-8,-34 L6,-34 L6,-38 L16,-38 L16,-34 L28,-34 L28,-38 L38,-38 L38,-34 L48,-34 L48,-38 L56,-38 L56,-34 L64,-34 L64,2 Z',
      );
      tower(ctx, -52, 18, 54, stone, look);
      tower(ctx, 52, 20, 48, stone, look);
      ctx.fillStyle = css(look.ink, 0.8);
      fillPath(ctx, 'M-11,2 L-11,-14 C-11,-24 11,-24 11,-14 L11,2 Z');
      for (const x of [-34, 28]) lamp(ctx, x, -24, 3, 6, look);
    },
  },
  tent: {
    medium: 'site',
    height: 0.085,
    paint(ctx, look) {
      glow(ctx, 0, -30, 150, look.accent_2, look.night ? 0.6 : 0.2);
      const cloth = ctx.createLinearGradient(0, -100, 0, 0);
      cloth.addColorStop(0, css(mixColors(look.accent, look.light, 0.3)));
      cloth.addColorStop(1, css(look.accent));
      ctx.fillStyle = cloth;
      fillPath(ctx, 'M-92,2 C-60,-24 -22,-66 4,-100 C36,-62 66,-26 98,2 Z');
      ctx.fillStyle = css(mixColors(look.accent, look.ink, 0.45));
      fillPath(ctx, 'M4,-100 C36,-62 66,-26 98,2 L44,2 C34,-30 18,-70 4,-100 Z');
      ctx.fillStyle = css(mixColors(look.light, look.accent_2, 0.4));
      fillPath(ctx, 'M4,-84 C-2,-50 -16,-20 -30,2 L28,2 C20,-26 10,-60 4,-84 Z');
    },
  },
  tree: {
    medium: 'site',
    height: 0.34,
    paint(ctx, look, random) {
      broadleaf(
        ctx,
        0,
        0,
        100,
        { trunk: look.dark, leaf: mixColors(look.dark, look.accent_2, 0.22), light: look.light },
        random,
        look.light_from_left ? -100 : 100,
      );
    },
  },
  palm: { medium: 'site', height: 0.5, paint: paintPalm },
  turbine: {
    medium: 'site',
    height: 0.3,
    paint(ctx, look, random, time_s) {
      ctx.fillStyle = sideLit(ctx, 2.4, lighten(look.light, -0.03), look);
      fillPath(ctx, 'M-1.2,-72 L1.2,-72 L2.6,2 L-2.6,2 Z');
      ctx.translate(0, -72);
      ctx.rotate(time_s * 0.9 + random.range(0, 2));
      ctx.fillStyle = css(lighten(look.light, 0.02));
      for (let blade = 0; blade < 3; blade++) {
        ctx.rotate((Math.PI * 2) / 3);
        fillPath(ctx, 'M-1,0 C-3,-8 -1.6,-22 -0.3,-38 L0.4,-38 C1.4,-24 1.6,-10 1,0 Z');
      }
      ctx.beginPath();
      ctx.arc(0, 0, 2, 0, 7);
      ctx.fill();
    },
  },
  bridge: {
    medium: 'water',
    height: 0.42,
    paint(ctx, look) {
      const steel = mixColors(look.dark, look.accent, 0.85);
      ctx.strokeStyle = css(steel);
      ctx.lineCap = 'round';
      const span = 210;
      for (const x of [-span, span]) {
        ctx.fillStyle = sideLit(ctx, 6, steel, look);
        ctx.fillRect(x - 6, -100, 4, 104);
        ctx.fillRect(x + 2, -100, 4, 104);
        for (const y of [-96, -74, -52]) ctx.fillRect(x - 6, y, 12, 4);
      }
      ctx.fillStyle = css(mixColors(steel, look.ink, 0.3));
      ctx.fillRect(-span * 4, -30, span * 8, 5);
      ctx.lineWidth = 2;
      ctx.stroke(
        new Path2D(
          `M${-span * 2.6},-28 Q${-span * 1.5},-34 ${-span},-99 Q0,30 ${span},-99 Q${span * 1.5},-34 ${span * 2.6},-28`,
        ),
      );
      ctx.lineWidth = 0.7;
      ctx.beginPath();
      for (let x = -span; x <= span; x += 11) {
        const t = (x / span) ** 2;
        ctx.moveTo(x, -34.5 - t * 64);
        ctx.lineTo(x, -28);
      }
      ctx.stroke();
    },
  },
};
