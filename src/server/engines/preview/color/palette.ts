import { hasWord, countMatches } from '../brief/score.ts';
import { MOOD_WORDS, type Family } from '../brief/lexicon.ts';
import type { Random } from '../random.ts';
import { chroma, lighten, mixColors, type Color } from './color.ts';
import { MOODS, type MoodName, type Palette } from './moods.ts';
import { namedColor } from './named-colors.ts';

/** Moods of a time; the others are places, and both combine: "a forest at sunset". */
const TIMES: readonly MoodName[] = [
  ...(['sunset', 'dawn', 'noon', 'golden', 'blue_hour', 'night', 'aurora', 'overcast', 'storm'] as const),
  ...(['neon', 'noir', 'ember'] as const),
];

const moodNames = Object.keys(MOODS) as MoodName[];

function strongest(words: readonly string[], among: readonly MoodName[]): MoodName | undefined {
  const scored = among.map((name) => ({ name, score: countMatches(words, MOOD_WORDS[name]) }));
  const best = Math.max(...scored.map(({ score }) => score));
  return best > 0 ? scored.find(({ score }) => score === best)?.name : undefined;
}

function combine(place: Palette, time: Palette): Palette {
  const grey = Math.max(...time.sky.map(chroma)) < 0.05;
  const under = (own: Color, light: Color): Color => mixColors(own, light, grey ? 0.3 : 0.55);
  return {
    sky: time.sky,
    light: time.light,
    far: under(place.far, time.far),
    mid: under(place.mid, time.mid),
    near: under(place.near, time.near),
    accent: place.accent,
    accent_2: time.accent,
    paper: mixColors(place.paper, time.paper, 0.6),
    ink: time.ink,
    night: time.night,
  };
}

const tint = (color: Color, toward: Color, amount: number, lightness = 0.12): Color => ({
  l: color.l + (toward.l - color.l) * amount * lightness * (chroma(toward) < 0.03 ? 4 : 1),
  a: color.a + (toward.a - color.a) * amount,
  b: color.b + (toward.b - color.b) * amount,
});

function withNamedColors(palette: Palette, colors: readonly Color[], amount: number): Palette {
  const [first, second = first] = colors;
  if (!first || !second) return palette;
  return {
    sky: [
      tint(palette.sky[0], first, amount * 0.75),
      tint(palette.sky[1], first, amount * 0.7),
      tint(palette.sky[2], second, amount * 0.5),
    ],
    light: tint(palette.light, second, amount * 0.15),
    far: tint(palette.far, second, amount),
    mid: tint(palette.mid, first, amount),
    near: tint(palette.near, first, amount),
    accent: first,
    accent_2: second === first ? lighten(palette.accent_2, 0.02) : second,
    paper: tint(palette.paper, first, amount * 0.8, 0.25),
    ink: tint(palette.ink, first, amount * 0.5, 0),
    night: palette.night,
  };
}

/** Families that keep part of their own mood: water stays blue and leaves stay green. */
const HOMES: Partial<Record<Family, { mood: MoodName; sky: number; masses: number }>> = {
  underwater: { mood: 'ocean', sky: 0.75, masses: 0.6 },
  cosmos: { mood: 'cosmic', sky: 0.65, masses: 0.4 },
  botanical: { mood: 'forest', sky: 0, masses: 0.68 },
};

function atHome(palette: Palette, family: Family): Palette {
  const home = HOMES[family];
  if (!home) return palette;
  const own = MOODS[home.mood];
  const sky = (index: 0 | 1 | 2): Color => mixColors(palette.sky[index], own.sky[index], home.sky);
  return {
    ...palette,
    sky: [sky(0), sky(1), sky(2)],
    far: mixColors(palette.far, own.far, home.masses),
    mid: mixColors(palette.mid, own.mid, home.masses),
    near: mixColors(palette.near, own.near, home.masses),
  };
}

const isGreen = ({ a, b }: Color): boolean => a < -0.02 && b > -0.02;

export function paletteFor(
  words: readonly string[],
  family: Family,
  fallbacks: readonly [MoodName, ...MoodName[]],
  random: Random,
): Palette {
  const time = strongest(words, TIMES);
  const place = strongest(
    words,
    moodNames.filter((name) => !TIMES.includes(name)),
  );
  const named = words
    .filter((word) => word !== 'coral' || family !== 'underwater')
    .map(namedColor)
    .filter((color) => color !== undefined);
  const chosen = random.pick(fallbacks);
  const base = place && time ? combine(MOODS[place], MOODS[time]) : MOODS[place ?? time ?? chosen];
  const own = atHome(base, family);
  const drawn = withNamedColors(
    own,
    named.slice(0, 3),
    hasWord(words, 'monochromatic') || !(place ?? time) ? 0.75 : 0.4,
  );
  const keeps_green = family === 'botanical' && !named.some(isGreen);
  return keeps_green ? { ...drawn, far: own.far, mid: own.mid, near: own.near } : drawn;
}
