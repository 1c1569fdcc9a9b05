import { css, hex, lighten, mixColors, saturate, type Color } from '../color/color.ts';
import type { Random } from '../random.ts';
import { paintTurned, type Profile, type StudioLight } from './lathe.ts';
import { branch } from './leaves.ts';
import { softEllipse } from './light.ts';
import type { Ctx, Stage } from './stage.ts';

export type Thing =
  'vase' | 'bottle' | 'cup' | 'jar' | 'apple' | 'pear' | 'lemon' | 'candle' | 'bowl' | 'perfume' | 'lamp' | 'orb';

/** Points "height radius" from the foot up, in shares of the height. */
const profile = (points: string): Profile =>
  points.split(', ').map((point) => {
    const [y = 0, radius = 0] = point.split(' ').map(Number);
    return [y, radius] as const;
  });

interface ThingForm {
  profile: Profile;
  height: number;
  gloss: number;
  open: boolean;
  color?: Color;
}

export const THINGS = {
  vase: {
    profile: profile('0 .13, .06 .17, .3 .27, .5 .26, .72 .13, .88 .085, 1 .12'),
    height: 0.52,
    gloss: 0.35,
    open: true,
  },
  bottle: {
    profile: profile('0 .13, .03 .15, .55 .15, .66 .12, .76 .055, .93 .05, .94 .062, 1 .062'),
    height: 0.62,
    gloss: 0.95,
    open: false,
  },
  cup: { profile: profile('0 .24, .05 .3, .3 .42, .7 .47, 1 .5'), height: 0.23, gloss: 0.6, open: true },
  jar: {
    profile: profile('0 .34, .04 .4, .62 .4, .68 .39, .69 .42, .97 .42, 1 .41'),
    height: 0.28,
    gloss: 0.7,
    open: false,
  },
  apple: {
    profile: profile('0 .12, .06 .28, .32 .47, .62 .54, .86 .46, .97 .25, 1 .08'),
    height: 0.19,
    gloss: 0.55,
    open: false,
    color: hex('#c2342b'),
  },
  pear: {
    profile: profile('0 .1, .05 .22, .26 .37, .45 .36, .66 .22, .86 .15, .97 .1, 1 .03'),
    height: 0.26,
    gloss: 0.3,
    open: false,
    color: hex('#b9b34a'),
  },
  lemon: {
    profile: profile('0 .05, .08 .28, .35 .56, .65 .56, .92 .28, 1 .04'),
    height: 0.14,
    gloss: 0.25,
    open: false,
    color: hex('#f1cf3a'),
  },
  candle: { profile: profile('0 .13, .02 .14, .98 .14, 1 .13'), height: 0.32, gloss: 0.1, open: false },
  bowl: { profile: profile('0 .32, .06 .36, .3 .72, .65 .98, 1 1.1'), height: 0.16, gloss: 0.5, open: true },
  perfume: {
    profile: profile('0 .2, .02 .27, .3 .3, .55 .27, .64 .12, .68 .09, .72 .09, .73 .13, .98 .13, 1 .12'),
    height: 0.46,
    gloss: 0.95,
    open: false,
  },
  lamp: {
    profile: profile('0 .2, .03 .22, .06 .06, .52 .03, .55 .34, .9 .2, 1 .18'),
    height: 0.62,
    gloss: 0.4,
    open: false,
  },
  orb: {
    profile: profile('0 .05, .03 .17, .12 .33, .3 .46, .5 .5, .7 .46, .88 .33, .97 .17, 1 .03'),
    height: 0.24,
    gloss: 0.8,
    open: false,
  },
} as const satisfies Record<Thing, ThingForm>;

export interface PlacedThing {
  thing: Thing;
  x: number;
  y: number;
  height: number;
}

export interface ThingLook {
  colors: readonly [Color, ...Color[]];
  light: StudioLight;
  tea: boolean;
}

export function paintThing(ctx: Ctx, stage: Stage, item: PlacedThing, look: ThingLook, random: Random): void {
  const { thing, x, y, height } = item;
  const { light } = look;
  const form: ThingForm = THINGS[thing];
  const color = form.color ? mixColors(form.color, stage.palette.accent, 0.25) : random.pick(look.colors);
  const clear = thing === 'bottle' || thing === 'perfume' ? random.pick([0, 0.45, 0.6]) : 0;
  const paintBody = (): void => paintTurned(ctx, { ...form, color, clear }, x, y, height, light);
  extras[thing]({ ctx, stage, item, look, random, color, paintBody });
}

interface Setting {
  ctx: Ctx;
  stage: Stage;
  item: PlacedThing;
  look: ThingLook;
  random: Random;
  color: Color;
  paintBody(): void;
}

const plain = ({ paintBody }: Setting): void => paintBody();

function withStalk({ ctx, item: { x, y, height }, look, color, paintBody }: Setting): void {
  paintBody();
  ctx.strokeStyle = css(mixColors(look.light.ink, color, 0.3));
  ctx.lineWidth = height * 0.035;
  ctx.lineCap = 'round';
  ctx.beginPath();
  ctx.moveTo(x, y - height * 0.96);
  ctx.quadraticCurveTo(x + height * 0.02, y - height * 1.1, x + height * 0.09, y - height * 1.2);
  ctx.stroke();
}

const extras = {
  bottle: plain,
  jar: plain,
  lemon: plain,
  perfume: plain,
  lamp: plain,
  orb: plain,
  apple: withStalk,
  pear: withStalk,
  vase({ ctx, stage, item: { x, y, height }, random, paintBody }) {
    for (let stem = random.int(4, 7); stem > 0; stem--) {
      const length = Math.min(height * random.range(0.45, 0.95), (y - height) * 0.92);
      branch(
        ctx,
        x + random.range(-0.05, 0.05) * height,
        y - height * 0.97,
        length,
        random.range(-0.85, 0.85),
        stage,
        random,
      );
    }
    paintBody();
  },
  cup({ ctx, item: { x, y, height }, look: { light, tea }, color, paintBody }) {
    const handle = height * 0.3;
    for (const [tone, width, shift] of [
      [mixColors(color, light.ink, 0.45), 0.3, 0],
      [lighten(color, 0.02), 0.2, -0.02],
      [mixColors(color, light.color, 0.5), 0.06, -0.06],
    ] as const) {
      ctx.strokeStyle = css(tone);
      ctx.lineWidth = handle * width;
      ctx.beginPath();
      ctx.ellipse(
        x + height * 0.46 + shift * handle,
        y - height * 0.55 + shift * handle,
        handle * 0.85,
        handle,
        0,
        -1.73,
        1.73,
      );
      ctx.stroke();
    }
    paintBody();
    const radius = height * 0.44;
    ctx.fillStyle = css(hex(tea ? '#b5652a' : '#4a2a18'));
    ctx.beginPath();
    ctx.ellipse(x, y - height + radius * 0.05, radius, radius * 0.17, 0, 0, 7);
    ctx.fill();
    softEllipse(
      ctx,
      x - radius * 0.3,
      y - height + radius * 0.03,
      radius * 0.5,
      radius * 0.08,
      saturate(light.color, 0.8),
      0.5,
    );
  },
  candle({ ctx, item: { x, y, height }, look: { light }, paintBody }) {
    paintBody();
    paintFlame(ctx, x, y - height, height, light);
  },
  bowl({ ctx, item: { x, y, height }, look, random, paintBody }) {
    for (const offset of [-0.5, 0.45, -0.05]) {
      const { profile, color } = THINGS[random.pick(['apple', 'lemon'] as const)];
      const tone = mixColors(color, random.pick(look.colors), 0.3);
      paintTurned(
        ctx,
        { profile, color: tone, gloss: 0.4 },
        x + offset * height,
        y - height * 0.92,
        height * 0.95,
        look.light,
      );
    }
    paintBody();
  },
} satisfies Record<Thing, (setting: Setting) => void>;

function paintFlame(ctx: Ctx, x: number, y: number, height: number, light: StudioLight): void {
  ctx.strokeStyle = css(light.ink);
  ctx.lineWidth = Math.max(1, height * 0.012);
  ctx.beginPath();
  ctx.moveTo(x, y);
  ctx.lineTo(x, y - height * 0.07);
  ctx.stroke();
  ctx.globalCompositeOperation = 'screen';
  softEllipse(ctx, x, y - height * 0.16, height * 0.75, height * 0.75, hex('#ffb45e'), 0.5);
  ctx.globalCompositeOperation = 'source-over';
  const flame = ctx.createLinearGradient(0, y - height * 0.3, 0, y - height * 0.04);
  flame.addColorStop(0, css(hex('#ff9a3c'), 0.85));
  flame.addColorStop(0.45, css(hex('#ffe7a3')));
  flame.addColorStop(1, css(hex('#7fa7ff'), 0.7));
  ctx.fillStyle = flame;
  ctx.beginPath();
  ctx.moveTo(x, y - height * 0.31);
  ctx.bezierCurveTo(x + height * 0.07, y - height * 0.17, x + height * 0.055, y - height * 0.05, x, y - height * 0.045);
  ctx.bezierCurveTo(x - height * 0.055, y - height * 0.05, x - height * 0.06, y - height * 0.16, x, y - height * 0.31);
  ctx.fill();
}
