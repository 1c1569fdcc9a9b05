import { Path2D } from '@napi-rs/canvas';
import { css, mixColors } from '../color/color.ts';
import { fillPath } from './light.ts';
import type { SubjectForm, SubjectForms } from './subject.ts';

const STANDING =
  'M-7,-92 A7,7.5 0 1 1 7,-92 A7,7.5 0 1 1 -7,-92 Z ' +
  'M-8,-83 C-13,-82 -15,-76 -16,-66 L-19,-46 L-15,-44 L-11,-62 L-11,-46 L-12,-2 L-3.5,-2 L-0.5,-40 L0.5,-40 L3.5,-2 L12,-2 L11,-46 L11,-62 L15,-44 L19,-46 L16,-66 C15,-76 13,-82 8,-83 Z';
const SITTING_CAT =
  'M-22,0 C-29,-12 -26,-42 -11,-54 C-16,-62 -15,-72 -11,-78 L-13,-95 L-2,-86 C2,-87.5 8,-87.5 12,-86 L22,-95 L21,-77 C25,-68 23,-59 15,-54 C25,-42 27,-14 22,0 Z ' +
  'M18,-3 C38,-3 45,-18 40,-34 C38,-41 45,-44 47,-37 C54,-18 45,3 20,3 Z';
const DOG =
  'M-54,-66 C-48,-54 -44,-50 -38,-48 C-20,-53 4,-53 20,-51 C26,-57 30,-65 33,-73 L36,-84 L42,-75 C50,-76 55,-71 63,-67 C65,-62 62,-58 57,-58 L48,-56 C46,-48 44,-42 40,-36 C38,-28 38,-14 38,-3 L43,0 L31,0 L29,-22 L26,-26 L25,-3 L30,0 L18,0 L17,-26 C6,-22 -10,-22 -20,-27 L-25,-16 L-20,-3 L-15,0 L-27,0 L-33,-16 L-33,-24 L-37,-14 L-34,-3 L-29,0 L-41,0 L-44,-18 C-46,-30 -46,-38 -43,-44 C-49,-48 -55,-56 -58,-64 Z';
const DEER =
  'M-44,-58 C-40,-64 -34,-66 -28,-65 C-12,-68 6,-67 18,-66 C24,-74 26,-82 30,-90 C32,-95 38,-97 44,-95 L56,-90 C58,-87 56,-84 52,-84 L42,-82 C39,-72 36,-62 31,-54 C30,-48 30,-44 31,-38 L29,-18 L32,-1 L26,-1 L23,-18 L23,-40 L19,-42 L18,-18 L20,-1 L14,-1 L12,-18 L12,-43 C-2,-40 -14,-41 -24,-44 L-29,-32 L-25,-18 L-24,-1 L-30,-1 L-32,-17 L-36,-30 L-38,-17 L-36,-1 L-42,-1 L-44,-18 C-46,-32 -46,-44 -43,-52 L-49,-50 Z';
const ANTLERS =
  'M38,-95 C30,-104 26,-112 28,-124 M31,-107 C25,-110 22,-114 21,-120 M34,-101 C40,-108 42,-114 40,-124 M42,-95 C48,-104 54,-110 52,-124 M47,-103 C54,-106 58,-110 60,-117';
const HORSE =
  'M-58,-70 C-54,-76 -48,-78 -42,-76 C-22,-80 2,-80 16,-76 C24,-84 30,-94 36,-102 L40,-110 L44,-103 C54,-98 60,-90 66,-82 C66,-77 62,-74 57,-76 L48,-82 C44,-72 40,-62 34,-56 C32,-46 33,-40 34,-32 L42,-20 L36,-4 L39,0 L30,0 L32,-18 L24,-32 L22,-18 L23,-4 L27,0 L17,0 L15,-20 L13,-46 C-4,-42 -20,-44 -30,-48 L-38,-36 L-30,-22 L-33,-4 L-29,0 L-39,0 L-39,-20 L-48,-34 L-50,-18 L-54,-4 L-50,0 L-60,0 L-58,-20 C-58,-34 -58,-46 -54,-56 C-58,-50 -62,-40 -63,-30 L-67,-30 C-68,-46 -66,-62 -58,-70 Z';

const solid =
  (outline: string, lines?: string): SubjectForm['paint'] =>
  (ctx, look) => {
    const shape = new Path2D(outline);
    ctx.fillStyle = css(look.dark);
    fillPath(ctx, outline);
    ctx.strokeStyle = css(mixColors(look.dark, look.light, 0.6), 0.5);
    ctx.lineWidth = 0.9;
    ctx.stroke(shape);
    if (!lines) return;
    ctx.strokeStyle = css(look.dark);
    ctx.lineWidth = 2.6;
    ctx.lineCap = 'round';
    ctx.stroke(new Path2D(lines));
  };

const bird = (ctx: Parameters<SubjectForm['paint']>[0], x: number, y: number, size: number, beat: number): void => {
  ctx.moveTo(x - size, y - size * 0.35 * beat);
  ctx.quadraticCurveTo(x - size * 0.45, y - size * 0.5 * beat, x, y);
  ctx.quadraticCurveTo(x + size * 0.45, y - size * 0.5 * beat, x + size, y - size * 0.35 * beat);
  ctx.quadraticCurveTo(x + size * 0.42, y - size * 0.26 * beat, x, y + size * 0.16);
  ctx.quadraticCurveTo(x - size * 0.42, y - size * 0.26 * beat, x - size, y - size * 0.35 * beat);
};

export const CREATURES: SubjectForms<'person' | 'couple' | 'cat' | 'dog' | 'deer' | 'horse' | 'birds' | 'whale'> = {
  person: { medium: 'ground', height: 0.13, paint: solid(STANDING) },
  couple: {
    medium: 'ground',
    height: 0.13,
    paint(ctx, look, random, time_s) {
      for (const [x, size] of [
        [-15, 1],
        [14, 0.93],
      ] as const) {
        ctx.save();
        ctx.translate(x, 0);
        ctx.scale(size, size);
        solid(STANDING)(ctx, look, random, time_s);
        ctx.restore();
      }
    },
  },
  cat: { medium: 'ground', height: 0.18, paint: solid(SITTING_CAT) },
  dog: { medium: 'ground', height: 0.15, paint: solid(DOG) },
  deer: { medium: 'ground', height: 0.17, paint: solid(DEER, ANTLERS) },
  horse: { medium: 'ground', height: 0.18, paint: solid(HORSE) },
  birds: {
    medium: 'sky',
    height: 0.16,
    paint(ctx, look, random, time_s) {
      ctx.fillStyle = css(look.dark, 0.9);
      ctx.beginPath();
      for (let index = 0; index < 11; index++) {
        const x = random.range(-130, 130);
        const y = -Math.abs(x) * 0.25 - random.range(0, 60);
        bird(ctx, x, y, random.range(6, 12), Math.sin(time_s * 6 + index * 1.9) * 0.7 + 0.45);
      }
      ctx.fill();
    },
  },
  whale: {
    medium: 'water',
    height: 0.2,
    paint(ctx, look) {
      const body = ctx.createLinearGradient(-60, -90, 60, 0);
      body.addColorStop(0, css(mixColors(look.dark, look.light, 0.3)));
      body.addColorStop(0.5, css(look.dark));
      body.addColorStop(1, css(mixColors(look.dark, look.ink, 0.5)));
      ctx.fillStyle = body;
      fillPath(
        ctx,
        'M-12,2 C-16,-30 -10,-52 -2,-66 C-24,-62 -46,-70 -62,-90 C-36,-92 -14,-90 0,-78 C14,-92 38,-96 64,-92 C48,-72 26,-62 4,-66 C12,-50 16,-28 14,2 Z',
      );
      ctx.strokeStyle = css(look.light, 0.7);
      ctx.lineWidth = 2;
      for (const reach of [24, 40, 60]) {
        ctx.beginPath();
        ctx.ellipse(0, 2, reach, reach * 0.13, 0, 0.15, Math.PI - 0.15);
        ctx.stroke();
      }
    },
  },
};
