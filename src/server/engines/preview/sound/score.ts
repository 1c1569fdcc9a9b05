import type { Brief } from '../brief/brief.ts';
import { hasWord } from '../brief/score.ts';
import type { Random } from '../random.ts';

export type Air = 'wind' | 'sea' | 'rain' | 'fire' | 'hum' | 'depth' | 'quiet';

export interface Score {
  chords: readonly (readonly number[])[];
  chord_seconds: number;
  notes: readonly { at_seconds: number; frequency_hz: number; loudness: number; pan: number }[];
  air: Air;
  /** 0: dark and round, 1: bright. */
  brightness: number;
}

const AIR_WORDS: readonly [Air, string][] = [
  ['rain', 'rain rainy raining storm stormy thunder drizzle monsoon'],
  ['fire', 'fire flame campfire ember lava fireplace candle'],
  ['depth', 'underwater whale deep_sea submarine reef jellyfish diver'],
  ['sea', 'sea ocean beach wave surf coast shore boat sailing lake river waterfall'],
  ['hum', 'city street urban neon traffic spaceship machine cyberpunk factory'],
  ['wind', 'mountain desert snow forest wind field sky fog winter valley hill meadow tree'],
];

/** Steps of a scale in semitones, bright to dark. */
const SCALES = {
  bright: [0, 2, 4, 6, 7, 9, 11],
  warm: [0, 2, 4, 5, 7, 9, 11],
  tender: [0, 2, 3, 5, 7, 9, 10],
  dark: [0, 2, 3, 5, 7, 8, 10],
} as const;

const PROGRESSIONS = {
  bright: [0, 4, 5, 3],
  warm: [0, 5, 3, 4],
  tender: [0, 3, 6, 2],
  dark: [0, 5, 2, 6],
} as const satisfies Record<keyof typeof SCALES, readonly number[]>;

type Mode = keyof typeof SCALES;

function modeOf(brief: Brief, random: Random): Mode {
  const { words, palette } = brief;
  if (hasWord(words, 'dark ominous horror storm stormy war noir mysterious gloomy brooding')) return 'dark';
  if (hasWord(words, 'happy joyful fun party playful bright upbeat cheerful energetic')) return 'bright';
  if (palette.night) return random.pick(['tender', 'dark', 'warm'] as const);
  return palette.sky[1].l > 0.72 ? random.pick(['warm', 'bright'] as const) : random.pick(['warm', 'tender'] as const);
}

const pitch = (root_hz: number, scale: readonly number[], step: number): number => {
  const octave = Math.floor(step / scale.length);
  const semitones = (scale[((step % scale.length) + scale.length) % scale.length] ?? 0) + 12 * octave;
  return root_hz * 2 ** (semitones / 12);
};

/** Deterministic: the same brief gives the same score. */
export function writeScore(brief: Brief, random: Random, duration_seconds: number): Score {
  const mode = modeOf(brief, random);
  const scale = SCALES[mode];
  const root_hz = 55 * 2 ** (random.int(0, 9) / 12);
  const lively = hasWord(brief.words, 'energetic party dance fast sport upbeat action fun neon cyberpunk dynamic');
  const chord_seconds = lively ? 2.4 : 4;
  const roots = PROGRESSIONS[mode];
  const count = Math.ceil(duration_seconds / chord_seconds) + 1;
  const chords = Array.from({ length: count }, (_, index) => {
    const root = roots[index % roots.length] ?? 0;
    return [root - 7, root, root + 2, root + 4, root + 8].map((step) => pitch(root_hz * 2, scale, step));
  });
  const beat = chord_seconds / (lively ? 8 : 6);
  const notes: Score['notes'][number][] = [];
  for (let at = beat; at < duration_seconds - 0.6; at += beat) {
    if (!random.chance(lively ? 0.72 : 0.42)) continue;
    const root = roots[Math.floor(at / chord_seconds) % roots.length] ?? 0;
    const step = root + random.pick([7, 9, 11, 14, 8, 12]);
    notes.push({
      at_seconds: at + random.range(0, 0.03),
      frequency_hz: pitch(root_hz * 2, scale, step),
      loudness: random.range(0.35, 1),
      pan: random.range(-0.7, 0.7),
    });
  }
  const air = AIR_WORDS.find(([, words]) => hasWord(brief.words, words))?.[0] ?? 'quiet';
  return {
    chords,
    chord_seconds,
    notes,
    air,
    brightness: { bright: 0.85, warm: 0.55, tender: 0.45, dark: 0.25 }[mode],
  };
}
