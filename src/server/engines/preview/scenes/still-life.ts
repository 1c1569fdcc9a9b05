import { hasWord } from '../brief/score.ts';
import { css, hex, lighten, mixColors, saturate, type Color } from '../color/color.ts';
import { paintTurned, type Profile, type StudioLight } from '../draw/lathe.ts';
import { softEllipse } from '../draw/light.ts';
import { branch } from '../draw/leaves.ts';
import { createWindowLight, roomPlane } from '../draw/studio.ts';
import type { Ctx, Plane, Stage } from '../draw/stage.ts';
import type { Random } from '../random.ts';

type Thing =
  'vase' | 'bottle' | 'cup' | 'jar' | 'apple' | 'pear' | 'lemon' | 'candle' | 'bowl' | 'perfume' | 'plinth' | 'lamp';

const PROFILES = {
  vase: [
    [0, 0.13],
    [0.06, 0.17],
    [0.3, 0.27],
    [0.5, 0.26],
    [0.72, 0.13],
    [0.88, 0.085],
    [1, 0.12],
  ],
  bottle: [
    [0, 0.13],
    [0.03, 0.15],
    [0.55, 0.15],
    [0.66, 0.12],
    [0.76, 0.055],
    [0.93, 0.05],
    [0.94, 0.062],
    [1, 0.062],
  ],
  cup: [
    [0, 0.24],
    [0.05, 0.3],
    [0.3, 0.42],
    [0.7, 0.47],
    [1, 0.5],
  ],
  jar: [
    [0, 0.24],
    [0.04, 0.28],
    [0.62, 0.28],
    [0.7, 0.27],
    [0.71, 0.3],
    [0.98, 0.3],
    [1, 0.29],
  ],
  apple: [
    [0, 0.12],
    [0.06, 0.28],
    [0.32, 0.47],
    [0.62, 0.54],
    [0.86, 0.46],
    [0.97, 0.25],
    [1, 0.08],
  ],
  pear: [
    [0, 0.1],
    [0.05, 0.22],
    [0.26, 0.37],
    [0.45, 0.36],
    [0.66, 0.22],
    [0.86, 0.15],
    [0.97, 0.1],
    [1, 0.03],
  ],
  lemon: [
    [0, 0.05],
    [0.08, 0.28],
    [0.35, 0.56],
    [0.65, 0.56],
    [0.92, 0.28],
    [1, 0.04],
  ],
  candle: [
    [0, 0.13],
    [0.02, 0.14],
    [0.98, 0.14],
    [1, 0.13],
  ],
  bowl: [
    [0, 0.32],
    [0.06, 0.36],
    [0.3, 0.72],
    [0.65, 0.98],
    [1, 1.1],
  ],
  perfume: [
    [0, 0.2],
    [0.02, 0.27],
    [0.3, 0.3],
    [0.55, 0.27],
    [0.64, 0.12],
    [0.68, 0.09],
    [0.72, 0.09],
    [0.73, 0.13],
    [0.98, 0.13],
    [1, 0.12],
  ],
  plinth: [
    [0, 1],
    [1, 1],
  ],
  lamp: [
    [0, 0.2],
    [0.03, 0.22],
    [0.06, 0.06],
    [0.52, 0.03],
    [0.55, 0.34],
    [0.9, 0.2],
    [1, 0.18],
  ],
} as const satisfies Record<Thing, Profile>;

const THING_WORDS = {
  vase: 'vase pottery ceramic flower interior clay handmade bouquet',
  bottle: 'bottle wine whisky drink juice oil beer water cocktail',
  cup: 'cup mug coffee tea espresso latte cafe breakfast',
  jar: 'jar cream honey skincare jam cosmetic packaging',
  apple: 'apple fruit food peach tomato orange pumpkin',
  pear: 'pear fruit food',
  lemon: 'lemon citrus fruit lime food mango',
  candle: 'candle cozy christmas spa soap romantic',
  bowl: 'bowl salad kitchen soup tableware food cake bread',
  perfume: 'perfume fragrance serum cosmetic luxury beauty product',
  plinth: 'product mockup watch jewelry ring shoe sneaker phone podium display packaging bag',
  lamp: 'lamp interior room furniture',
} as const satisfies Record<Thing, string>;

const SIZES = {
  vase: 0.46,
  bottle: 0.52,
  cup: 0.17,
  jar: 0.24,
  apple: 0.15,
  pear: 0.21,
  lemon: 0.11,
  candle: 0.26,
  bowl: 0.13,
  perfume: 0.36,
  plinth: 0.12,
  lamp: 0.56,
} as const satisfies Record<Thing, number>;

/** A few turned objects on a table by a window. */
export function stillLife(stage: Stage): Plane[] {
  const { palette, width, height, brief } = stage;
  const random = stage.random.fork('still life');
  const short = Math.min(width, height * 1.15);
  const table = height * random.range(0.6, 0.68);
  const asked = (Object.keys(THING_WORDS) as Thing[]).filter((thing) => hasWord(brief.words, THING_WORDS[thing]));
  const extras: [Thing, ...Thing[]] = ['vase', 'apple', 'bowl', 'bottle', 'pear', 'lemon', 'cup', 'candle'];
  const things = asked.slice(0, 4);
  while (things.length < 4) things.push(random.pick(extras));
  const light: StudioLight = {
    color: mixColors(palette.light, lighten(palette.light, 0.1), 0.5),
    ground: palette.paper,
    ink: palette.ink,
    from_left: true,
  };
  const ground = mixColors(
    mixColors(palette.paper, palette.far, 0.4),
    palette.mid,
    palette.paper.l < 0.45 ? 0.15 : 0.05,
  );
  const room = roomPlane(stage, {
    table,
    wall_color: mixColors(palette.paper, palette.sky[2], 0.15),
    table_color: ground,
    light: createWindowLight(stage, random.fork('window')),
  });
  const slots = [0.5, 0.3, 0.7, 0.16, 0.85];
  const placed = things.map((thing, index) => {
    const t = index === 0 ? 0.25 : random.range(0.3, 0.85);
    return {
      thing,
      x: width / 2 + ((slots[index] ?? 0.5) - 0.5 + random.range(-0.025, 0.025)) * Math.min(width, short * 1.25),
      y: table + (height - table) * (0.12 + 0.5 * t),
      height: SIZES[thing] * short * random.range(0.92, 1.1) * (index === 0 ? 1.12 : 1),
    };
  });
  placed.sort((a, b) => a.y - b.y);
  const colors: [Color, ...Color[]] = [
    palette.accent,
    palette.accent_2,
    palette.mid,
    lighten(palette.paper, 0.05),
    palette.far,
  ];
  const objects: Plane[] = placed.map((item, index) => ({
    depth: 0.16 + 0.24 * (item.y / height),
    paint: (ctx) => paintThing(ctx, stage, item, random.fork(`thing ${index}`), colors, light),
  }));
  return stage.cutout ? objects : [room, ...objects];
}

interface Placed {
  thing: Thing;
  x: number;
  y: number;
  height: number;
}

function paintThing(
  ctx: Ctx,
  stage: Stage,
  item: Placed,
  random: Random,
  colors: [Color, ...Color[]],
  light: StudioLight,
): void {
  const { thing, x, y, height } = item;
  const natural = { apple: hex('#c2342b'), pear: hex('#b9b34a'), lemon: hex('#f1cf3a') };
  const color =
    thing in natural
      ? mixColors(natural[thing as keyof typeof natural], stage.palette.accent, 0.25)
      : random.pick(colors);
  const gloss = {
    vase: 0.35,
    bottle: 0.95,
    cup: 0.6,
    jar: 0.7,
    apple: 0.55,
    pear: 0.3,
    lemon: 0.25,
    candle: 0.1,
    bowl: 0.5,
    perfume: 0.95,
    plinth: 0.05,
    lamp: 0.4,
  }[thing];
  const clear = thing === 'bottle' || thing === 'perfume' ? random.pick([0, 0.45, 0.6]) : 0;
  if (thing === 'vase') {
    for (let stem = random.int(4, 7); stem > 0; stem--)
      branch(
        ctx,
        x + random.range(-0.05, 0.05) * height,
        y - height * 0.97,
        height * random.range(0.55, 1.05),
        random.range(-0.75, 0.75),
        stage,
        random,
      );
  }
  if (thing === 'cup') paintHandle(ctx, x + height * 0.46, y - height * 0.55, height * 0.3, color, light);
  paintTurned(
    ctx,
    { profile: PROFILES[thing], color, gloss, clear, open: ['vase', 'cup', 'bowl'].includes(thing) },
    x,
    y,
    height,
    light,
  );
  if (thing === 'apple' || thing === 'pear') {
    ctx.strokeStyle = css(mixColors(light.ink, color, 0.3));
    ctx.lineWidth = height * 0.035;
    ctx.lineCap = 'round';
    ctx.beginPath();
    ctx.moveTo(x, y - height * 0.96);
    ctx.quadraticCurveTo(x + height * 0.02, y - height * 1.1, x + height * 0.09, y - height * 1.2);
    ctx.stroke();
  }
  if (thing === 'cup') paintCoffee(ctx, x, y - height, height * 0.44, hasWord(stage.brief.words, 'tea'), light);
  if (thing === 'candle') paintFlame(ctx, x, y - height, height, light);
  if (thing === 'bowl') {
    for (const offset of [-0.5, 0.45, -0.05]) {
      const fruit = random.pick(['apple', 'lemon'] as const);
      paintTurned(
        ctx,
        { profile: PROFILES[fruit], color: mixColors(natural[fruit], random.pick(colors), 0.3), gloss: 0.4 },
        x + offset * height,
        y - height * 0.92,
        height * 0.95,
        light,
      );
    }
    paintTurned(ctx, { profile: PROFILES.bowl, color, gloss }, x, y, height, light);
  }
}

function paintHandle(ctx: Ctx, x: number, y: number, size: number, color: Color, light: StudioLight): void {
  for (const [tone, width, shift] of [
    [mixColors(color, light.ink, 0.45), 0.3, 0],
    [lighten(color, 0.02), 0.2, -0.02],
    [mixColors(color, light.color, 0.5), 0.06, -0.06],
  ] as const) {
    ctx.strokeStyle = css(tone);
    ctx.lineWidth = size * width;
    ctx.beginPath();
    ctx.ellipse(x + shift * size, y + shift * size, size * 0.85, size, 0, -Math.PI * 0.55, Math.PI * 0.55);
    ctx.stroke();
  }
}

function paintCoffee(ctx: Ctx, x: number, y: number, radius: number, tea: boolean, light: StudioLight): void {
  const liquid = hex(tea ? '#b5652a' : '#4a2a18');
  ctx.fillStyle = css(liquid);
  ctx.beginPath();
  ctx.ellipse(x, y + radius * 0.05, radius, radius * 0.17, 0, 0, 7);
  ctx.fill();
  softEllipse(ctx, x - radius * 0.3, y + radius * 0.03, radius * 0.5, radius * 0.08, saturate(light.color, 0.8), 0.5);
}

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
