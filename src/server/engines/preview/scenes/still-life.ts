import { hasWord, findMatches } from '../brief/score.ts';
import { lighten, mixColors } from '../color/color.ts';
import { paintTurned, radiusAt, type StudioLight } from '../draw/lathe.ts';
import { createWindowLight, roomPlane } from '../draw/studio.ts';
import type { Plane, Stage } from '../draw/stage.ts';
import { paintThing, THINGS, type PlacedThing, type Thing, type ThingLook } from '../draw/things.ts';
import type { Random } from '../random.ts';

const THING_WORDS = {
  vase: 'vase pottery ceramic flower interior clay handmade bouquet tableware',
  bottle: 'bottle wine whisky drink juice oil beer water cocktail',
  cup: 'cup mug coffee tea espresso latte cafe breakfast',
  jar: 'jar cream honey skincare jam cosmetic packaging product',
  apple: 'apple fruit food peach tomato orange pumpkin',
  pear: 'pear fruit food',
  lemon: 'lemon citrus fruit lime food mango',
  candle: 'candle cozy christmas spa soap romantic',
  bowl: 'bowl salad kitchen soup food cake bread',
  perfume: 'perfume fragrance serum cosmetic luxury beauty',
  lamp: 'lamp interior room furniture',
  orb: 'watch jewelry ring shoe sneaker phone laptop bag mockup display',
} as const satisfies Record<Thing, string>;

const COMPANIONS: readonly [Thing, ...Thing[]] = ['vase', 'apple', 'bowl', 'bottle', 'pear', 'lemon', 'cup', 'candle'];
const GOODS =
  'product perfume fragrance serum cosmetic skincare luxury watch jewelry ring shoe sneaker phone bag podium mockup packaging display';

export function stillLife(stage: Stage): Plane[] {
  const { palette, width, height, brief } = stage;
  const random = stage.random.fork('still life');
  const size = Math.min(width * 1.08, height, Math.sqrt(width * height));
  const table = height * random.range(0.58, 0.66);
  const asked = findMatches(brief.words, THING_WORDS).slice(0, 4);
  const goods = hasWord(brief.words, GOODS);
  const light: StudioLight = {
    color: mixColors(palette.light, lighten(palette.light, 0.1), 0.5),
    ground: palette.paper,
    ink: palette.ink,
    from_left: true,
  };
  const dark = palette.paper.l < 0.45;
  const ground = mixColors(mixColors(palette.paper, palette.far, 0.4), palette.mid, dark ? 0.15 : 0.05);
  const look: ThingLook = {
    colors: [palette.accent, palette.accent_2, palette.mid, lighten(palette.paper, 0.05), palette.far],
    light,
    tea: hasWord(brief.words, 'tea'),
  };
  const things: Thing[] = [...asked];
  const wanted = stage.cutout ? 1 : goods ? Math.max(asked.length, 2) : 4;
  while (things.length < wanted) things.push(random.pick(COMPANIONS));
  const items = arrange(things, { width, height, table, size }, goods, random);
  const podium = goods && !stage.cutout ? podiumPlane(items[0], table, height, ground, light) : [];
  const behind = items.slice(1).filter((item) => item.y < (items[0]?.y ?? 0));
  const before = items.slice(1).filter((item) => item.y >= (items[0]?.y ?? 0));
  const sheets = (list: readonly PlacedThing[]): Plane[] =>
    list
      .toSorted((a, b) => a.y - b.y)
      .map((item) => ({
        depth: 0.16 + 0.24 * (item.y / height),
        paint: (ctx) => paintThing(ctx, stage, item, look, random.fork(`thing ${items.indexOf(item)}`)),
      }));
  const room = roomPlane(stage, {
    table,
    wall_color: mixColors(palette.paper, palette.sky[2], 0.15),
    table_color: ground,
    light: createWindowLight(stage, random.fork('window')),
  });
  return [
    ...(stage.cutout ? [] : [room]),
    ...sheets(behind),
    ...podium,
    ...sheets(items.slice(0, 1)),
    ...sheets(before),
  ];
}

interface Table {
  width: number;
  height: number;
  table: number;
  size: number;
}

function arrange(
  things: readonly Thing[],
  { width, height, table, size }: Table,
  goods: boolean,
  random: Random,
): PlacedThing[] {
  const slots = [0, -0.27, 0.28, -0.44];
  const reach = Math.min(width * 0.92, size * 1.2);
  return things.map((thing, index) => {
    const hero = index === 0;
    const near = hero ? 0.36 : random.pick([0.12, 0.62, 0.7]);
    const tall = THINGS[thing].height * size * random.range(0.92, 1.08) * (hero ? 1.3 : 0.95);
    return {
      thing,
      x: width / 2 + ((slots[index] ?? 0.4) + random.range(-0.025, 0.025)) * reach,
      y: table + (height - table) * (goods && hero ? 0.16 : near),
      height: Math.min(tall, (hero ? 0.82 : 0.7) * table),
    };
  });
}

function podiumPlane(
  hero: PlacedThing | undefined,
  table: number,
  height: number,
  color: StudioLight['ink'],
  light: StudioLight,
): Plane[] {
  if (!hero) return [];
  const { profile } = THINGS[hero.thing];
  const radius = Math.max(...[0, 0.25, 0.5].map((y) => radiusAt(profile, y))) * hero.height * 1.45;
  const tall = (height - table) * 0.42;
  const wide = radius / tall;
  return [
    {
      depth: 0.26,
      paint: (ctx) =>
        paintTurned(
          ctx,
          {
            profile: [
              [0, wide],
              [1, wide],
            ],
            color: lighten(color, 0.03),
            gloss: 0.1,
            lid: true,
          },
          hero.x,
          hero.y + tall - radius * 0.1,
          tall,
          light,
        ),
    },
  ];
}
