import { createRandom, hashText, mix } from './random.ts';

export type Composition = 'landscape' | 'still life' | 'abstract' | 'typography';

/** Colors as `#rrggbb`, from the deepest to the lightest, and one that stands out. */
export interface Palette {
  deep: string;
  dark: string;
  mid: string;
  light: string;
  glow: string;
  accent: string;
}

/** What a prompt decides about a picture; serializable, so that another process can receive it. */
export interface Theme {
  composition: Composition;
  palette: Palette;
  prompt: string;
  /** 32 bits that decide everything the prompt leaves open. */
  seed: number;
}

/** How much of the accent color lies over edited media. */
export const TONE_SHARE = 0.2;

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '));

const COMPOSITIONS: readonly [Exclude<Composition, 'typography'>, ReadonlySet<string>][] = [
  [
    'abstract',
    words(
      'abstract pattern texture gradient silk wave ribbon fluid smoke marble geometric poster logo icon sticker shape sound music wallpaper background fractal liquid paint',
    ),
  ],
  [
    'still life',
    words(
      'vase bottle cup mug bowl glass fruit apple lemon orange flower rose tulip bouquet plant product perfume jar shoe sneaker bag watch phone chair table lamp book candle cake coffee tea bread food ceramic pottery sphere portrait person woman man face hand cat dog still studio',
    ),
  ],
  [
    'landscape',
    words(
      'landscape mountain hill sea ocean lake river water wave forest tree pine desert dune beach coast island field meadow valley sky cloud sunset sunrise dawn dusk night star moon sun horizon city skyline street road house castle lighthouse bridge boat ship harbor garden snow rain storm fog mist space planet galaxy volcano cliff bird deer horse fox waterfall village park',
    ),
  ],
];

type PaletteRow = readonly [deep: string, dark: string, mid: string, light: string, glow: string, accent: string];

/** Moods: the words that ask for them, and their colors. */
const MOODS: readonly [ReadonlySet<string>, PaletteRow][] = [
  [
    words('sunset dusk evening golden autumn warm desert dune fire orange amber ember volcano'),
    ['#241a33', '#5b2f4c', '#b4543f', '#f0a35e', '#ffdca3', '#ff7a4d'],
  ],
  [
    words('dawn sunrise morning spring pastel soft pink rose blossom portrait woman dreamy'),
    ['#3a3555', '#77688f', '#c791a6', '#f2c4b8', '#fff0e0', '#ef7f8e'],
  ],
  [
    words('sea ocean lake beach coast island summer sky blue noon day sunny water wave boat ship'),
    ['#12314a', '#1d5673', '#3f93ab', '#a3d5d8', '#f7fbf2', '#ffb454'],
  ],
  [
    words('forest tree meadow jungle leaf plant garden green moss field hill park deer'),
    ['#14261f', '#2a4a37', '#5b8259', '#b5c98f', '#f4f3d2', '#e8a33d'],
  ],
  [
    words('night midnight moon star city skyline neon space galaxy planet cyberpunk purple violet'),
    ['#0b1026', '#1d2350', '#46407f', '#8a6fb5', '#f3d9ff', '#3ce0d0'],
  ],
  [
    words('fog mist rain storm winter snow grey gray silver mountain cold ice black white monochrome'),
    ['#20262e', '#414c59', '#7b8a98', '#c3ced6', '#f6f8f9', '#d9825b'],
  ],
  [
    words('ceramic pottery coffee wood earth brown vintage book bread table vase still minimal beige terracotta'),
    ['#2d211b', '#63473a', '#a97c5f', '#dcbf9f', '#fbf1e2', '#3f7f86'],
  ],
  [
    words('candy glass bubble gradient colorful colourful vivid silk liquid music red yellow lemon fruit'),
    ['#2b1248', '#7a1f6b', '#e2456b', '#ffa15c', '#fff0b8', '#37c9d9'],
  ],
];

/** A prompt can be as long as a request body, and earlier words weigh more. */
const MAX_CHARACTERS = 8_000;

function promptWords(prompt: string): string[] {
  const found =
    prompt
      .slice(0, MAX_CHARACTERS)
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? [];
  return found.flatMap((word) => [word, word.replace(/e?s$/, ''), word.replace(/s$/, '')]);
}

/** The row that most words of the prompt ask for; of equals, the first. */
function bestRow<Row extends readonly [unknown, unknown]>(
  rows: readonly Row[],
  count: (row: Row) => number,
): Row | undefined {
  const counts = rows.map(count);
  const most = Math.max(...counts);
  return most === 0 ? undefined : rows[counts.indexOf(most)];
}

/** @param salt varies the result between models @param runSeed between runs of the same prompt and model */
export function readTheme(prompt: string, salt: string, runSeed: number): Theme {
  const asked = promptWords(prompt);
  const countIn = (set: ReadonlySet<string>): number => new Set(asked.filter((word) => set.has(word))).size;
  const seed = mix(hashText(`${prompt.trim().toLowerCase()}\u0000${salt}`) ^ mix(runSeed));
  const composition = bestRow(COMPOSITIONS, ([, set]) => countIn(set))?.[0] ?? 'typography';
  const mood = bestRow(MOODS, ([set]) => countIn(set)) ?? MOODS[createRandom(seed).int(0, MOODS.length - 1)];
  const [deep, dark, mid, light, glow, accent] = mood?.[1] ?? ['#111', '#333', '#777', '#bbb', '#fff', '#f80'];
  return { composition, palette: { deep, dark, mid, light, glow, accent }, prompt: prompt.trim().slice(0, 400), seed };
}
