import type { MoodName, Palette } from '../color/moods.ts';
import { paletteFor } from '../color/palette.ts';
import { createRandom, hashText, mix } from '../random.ts';
import {
  FAMILY_WORDS,
  MOVE_WORDS,
  PHRASES,
  STYLE_WORDS,
  SUBJECT_WORDS,
  WEATHER_WORDS,
  type Family,
  type Move,
  type Style,
  type Subject,
  type Weather,
} from './lexicon.ts';
import { hasWord, matches } from './score.ts';
import { promptWords } from './words.ts';

/** What the renderer understood of a prompt. */
export interface Brief {
  words: readonly string[];
  family: Family;
  palette: Palette;
  subjects: readonly Subject[];
  weather: readonly Weather[];
  style: Style | null;
  move: Move;
  /** 32 bits that settle everything the prompt leaves open. */
  seed: number;
}

const DEFAULT_MOODS = {
  landscape: ['sunset', 'dawn', 'golden', 'blue_hour', 'noon', 'forest', 'autumn', 'overcast'],
  sea: ['sunset', 'dawn', 'tropical', 'ocean', 'blue_hour', 'golden'],
  city: ['blue_hour', 'sunset', 'neon', 'golden', 'dawn'],
  cosmos: ['cosmic', 'candy', 'night', 'aurora', 'ember'],
  underwater: ['ocean', 'tropical', 'aurora', 'blue_hour'],
  botanical: ['forest', 'spring', 'pastel', 'earth', 'midcentury', 'autumn'],
  spheres: ['pastel', 'candy', 'earth', 'marble', 'sunset', 'luxury', 'ocean'],
  still_life: ['earth', 'pastel', 'marble', 'golden', 'vintage', 'autumn'],
  ribbons: ['candy', 'sunset', 'ocean', 'aurora', 'neon', 'luxury', 'pastel', 'cosmic'],
  poster: ['midcentury', 'earth', 'candy', 'tropical', 'pastel', 'vintage', 'autumn'],
  portrait: ['midcentury', 'earth', 'sunset', 'pastel', 'candy', 'vintage'],
} as const satisfies Record<Family, readonly [MoodName, ...MoodName[]]>;

/** Families for prompts that name nothing we know. */
const OPEN: readonly [Family, ...Family[]] = ['landscape', 'ribbons', 'spheres', 'poster', 'botanical', 'sea'];
const MOVES: readonly [Move, ...Move[]] = ['push_in', 'pan_left', 'pan_right', 'rise', 'pull_out'];

/** "A sailing ship" is one vessel, not two. */
function subjectsOf(words: readonly string[]): Subject[] {
  const found = matches(words, SUBJECT_WORDS);
  return found.includes('ship') ? found.filter((subject) => subject !== 'boat') : found;
}

/**
 * Reads a prompt. `salt` separates what should look different for the same words (the model); `seed` is the
 * person's own, where the task has one.
 */
export function readPrompt(prompt: string, salt: string, own_seed: number | null = null): Brief {
  const words = promptWords(prompt, PHRASES);
  const base = hashText(`${prompt.trim().toLowerCase()}\u0000${salt}`);
  const seed = own_seed === null ? base : mix(base ^ mix(own_seed));
  const random = createRandom(seed);
  const family = matches(words, FAMILY_WORDS)[0] ?? random.pick(OPEN);
  return {
    words,
    family,
    palette: paletteFor(words, family, DEFAULT_MOODS[family], random.fork('palette')),
    subjects: subjectsOf(words),
    weather: hasWord(words, 'indoor studio') ? [] : matches(words, WEATHER_WORDS),
    style: matches(words, STYLE_WORDS)[0] ?? null,
    move: matches(words, MOVE_WORDS)[0] ?? random.fork('move').pick(MOVES),
    seed,
  };
}
