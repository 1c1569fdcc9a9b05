import { hasWord } from '../brief/score.ts';
import { css, lighten, mixColors, toRgb, type Color } from '../color/color.ts';
import { flower, type FlowerForm } from '../draw/flowers.ts';
import { sprig } from '../draw/sprig.ts';
import { leaf, type LeafForm } from '../draw/leaves.ts';
import { softEllipse } from '../draw/light.ts';
import { fbm, smoothstep } from '../draw/noise.ts';
import { shade } from '../draw/shade.ts';
import { createWindowLight } from '../draw/studio.ts';
import { field, type Plane, type Stage } from '../draw/stage.ts';
import type { Random } from '../random.ts';

const FLOWERS = {
  daisy: 'daisy sunflower gerbera aster chamomile wildflower',
  poppy: 'poppy anemone hibiscus',
  rose: 'rose peony ranunculus camellia bouquet',
  tulip: 'tulip lily crocus lotus',
  star: 'cherry_blossom blossom jasmine orchid sakura plum',
} as const satisfies Record<FlowerForm, string>;

export function botanical(stage: Stage): Plane[] {
  const { palette, width, height, brief } = stage;
  const random = stage.random.fork('botanical');
  const forms = Object.keys(FLOWERS) as FlowerForm[];
  const asked = forms.filter((form) => hasWord(brief.words, FLOWERS[form]));
  const leafy =
    asked.length === 0 &&
    hasWord(brief.words, 'leaf monstera jungle fern plant foliage greenery eucalyptus ivy tropical cactus succulent');
  const kinds: [FlowerForm, ...FlowerForm[]] = asked[0]
    ? [asked[0], ...asked]
    : [random.pick(['daisy', 'poppy', 'rose', 'star'] as const), random.pick(['poppy', 'star', 'rose'] as const)];
  const layers = 4;
  const planes: Plane[] = stage.cutout ? [] : [paperPlane(stage)];
  const wreath = leafy ? random.chance(0.7) : random.chance(0.22);
  for (let layer = 0; layer < layers; layer++) {
    const t = layer / (layers - 1);
    planes.push(growthPlane(stage, { t, wreath, flowers: leafy ? [] : kinds, random: random.fork(`layer ${layer}`) }));
  }
  const short = Math.min(width, height);
  if (!leafy && !wreath)
    planes.push(
      heroPlane(
        stage,
        kinds[0],
        {
          x: width * random.range(0.42, 0.58),
          y: height * random.range(0.36, 0.44),
          size: short * random.range(0.15, 0.19),
        },
        random,
      ),
    );
  if (!stage.cutout && palette.paper.l > 0.4) planes.push(gleamPlane(stage));
  return planes;
}

function paperPlane(stage: Stage): Plane {
  const { palette } = stage;
  const area = field(stage);
  const light = createWindowLight(stage, stage.random.fork('window'));
  const paper = toRgb(mixColors(palette.paper, palette.far, 0.12));
  const lit = toRgb(mixColors(lighten(palette.paper, 0.04), palette.light, 0.4));
  const dark = toRgb(mixColors(palette.paper, palette.mid, 0.4));
  return {
    depth: 0.05,
    paint(ctx) {
      const columns = 300;
      const sheet = shade(columns, (columns * area.height) / area.width, (u, v, out) => {
        const x = area.x + u * area.width;
        const y = area.y + v * area.height;
        const sun = light(x, y) * 0.9;
        const corner = smoothstep(0.3, 1.1, Math.hypot((x / stage.width - 0.45) * 1.1, y / stage.height - 0.35));
        const fiber = (fbm(u * 60, v * 60, 3, 2) - 0.5) * 5;
        for (let channel: 0 | 1 | 2 = 0; channel < 3; channel++) {
          let value = paper[channel] ?? 0;
          value += ((dark[channel] ?? 0) - value) * corner * 0.8;
          value += ((lit[channel] ?? 0) - value) * sun;
          out[channel] = value + fiber;
        }
        out[3] = 1;
      });
      ctx.imageSmoothingQuality = 'high';
      ctx.drawImage(sheet, area.x, area.y, area.width, area.height);
    },
  };
}

interface Growth {
  t: number;
  wreath: boolean;
  flowers: readonly FlowerForm[];
  random: Random;
}

function growthPlane(stage: Stage, { t, wreath, flowers, random }: Growth): Plane {
  const { palette, width, height, brief } = stage;
  const short = Math.min(width, height);
  const tropical = hasWord(brief.words, 'monstera jungle tropical');
  const leaves: [LeafForm, ...LeafForm[]] = tropical
    ? ['split', 'heart', 'lance']
    : hasWord(brief.words, 'eucalyptus')
      ? ['round']
      : ['lance', 'oval', 'heart', 'oval', 'round'];
  const stems = Math.round(
    (wreath ? 15 : 12) * Math.max(1, Math.max(width, height) / 1300) * (0.7 + 0.4 * stage.detail),
  );
  const tones: [Color, ...Color[]] = [
    palette.mid,
    mixColors(palette.mid, palette.near, 0.5),
    mixColors(palette.mid, palette.accent_2, 0.3),
    palette.near,
  ];
  return {
    depth: 0.12 + 0.8 * t,
    paint(ctx) {
      for (let stem = 0; stem < stems; stem++) {
        const place = wreath
          ? aroundEdge(stage, random)
          : {
              x: ((stem + random.range(0.1, 0.9)) / stems) * (width + 2 * stage.bleed) - stage.bleed,
              y: height + stage.bleed * 0.7 + short * 0.09,
              angle: random.range(-0.34, 0.34),
            };
        const length =
          short *
          (wreath ? random.range(0.2, 0.42) : random.range(0.34, 0.86) * (1.08 - 0.5 * t)) *
          Math.max(1, height / width > 1.4 && !wreath ? 1.3 : 1);
        const base = mixColors(random.pick(tones), palette.far, 0.5 * (1 - t));
        const tone = mixColors(base, palette.paper, 0.42 * (1 - t) ** 1.2);
        const form = random.pick(leaves);
        const blossom =
          flowers.length > 0 && random.chance(0.55) ? (flowers[random.int(0, flowers.length - 1)] ?? null) : null;
        sprig(ctx, stage, { ...place, length, tone, form, blossom, t, random });
      }
    },
  };
}

function aroundEdge(stage: Stage, random: Random): { x: number; y: number; angle: number } {
  const { width, height } = stage;
  const out = stage.bleed * 0.6 + 18;
  const [wide, tall] = [width + 2 * out, height + 2 * out];
  let along = random.range(0, 2 * (wide + tall));
  let x = -out;
  let y = -out;
  if (along < wide) x += along;
  else if ((along -= wide) < tall) [x, y] = [width + out, y + along];
  else if ((along -= tall) < wide) [x, y] = [x + along, height + out];
  else y += along - wide;
  const inward = Math.atan2(width / 2 - x, -(height / 2 - y));
  return { x, y, angle: inward + random.range(-0.55, 0.55) };
}

function heroPlane(stage: Stage, form: FlowerForm, at: { x: number; y: number; size: number }, random: Random): Plane {
  const { palette, height } = stage;
  return {
    depth: 0.6,
    paint(ctx) {
      const tone = mixColors(palette.mid, palette.near, 0.4);
      ctx.strokeStyle = css(tone);
      ctx.lineWidth = at.size * 0.07;
      ctx.beginPath();
      ctx.moveTo(at.x, at.y);
      ctx.quadraticCurveTo(at.x + at.size * 0.3, (at.y + height) / 2, at.x - at.size * 0.2, height + stage.bleed);
      ctx.stroke();
      for (const [drop, side] of [
        [2.1, 1],
        [2.9, -1],
        [3.6, 1],
      ] as const) {
        leaf(
          ctx,
          'oval',
          at.x + at.size * 0.12,
          at.y + at.size * drop,
          at.size * 1.7,
          side * 0.95,
          tone,
          palette.light,
          palette.ink,
        );
      }
      softEllipse(ctx, at.x + at.size * 0.25, at.y + at.size * 0.4, at.size * 1.45, at.size * 1.3, palette.ink, 0.34);
      flower(
        ctx,
        form,
        at.x,
        at.y,
        at.size,
        random.range(-0.2, 0.2),
        { color: palette.accent, light: mixColors(palette.light, palette.accent, 0.2), ink: palette.ink },
        random,
      );
    },
  };
}

function gleamPlane(stage: Stage): Plane {
  return {
    depth: 0.05,
    blend: 'soft-light',
    paint(ctx) {
      softEllipse(
        ctx,
        stage.width * 0.3,
        stage.height * 0.2,
        Math.max(stage.width, stage.height) * 0.8,
        Math.max(stage.width, stage.height) * 0.7,
        stage.palette.light,
        0.5,
      );
    },
  };
}
