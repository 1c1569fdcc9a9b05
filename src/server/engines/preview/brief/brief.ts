import type { MoodName, Palette } from '../color/moods.ts';
import { paletteFor } from '../color/palette.ts';
import { createRandom, hashText, mix, type Random } from '../random.ts';
import {
  type Family,
  FAMILY_WORDS,
  type Move,
  MOVE_WORDS,
  PHRASES,
  type Style,
  STYLE_WORDS,
  type Subject,
  SUBJECT_WORDS,
  type Weather,
  WEATHER_WORDS,
} from './lexicon.ts';
import { findMatches, hasWord } from './score.ts';

export interface Brief {
  words: readonly string[];
  family: Family;
  palette: Palette;
  subjects: readonly Subject[];
  weather: readonly Weather[];
  style: Style | null;
  move: Move;
  /** 32 bits that decide everything the prompt leaves open. */
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

const OPEN: readonly [Family, ...Family[]] = ['landscape', 'ribbons', 'spheres', 'poster', 'botanical', 'sea'];
const SKY_WORDS =
  'sunset sunrise dawn dusk sky cloud horizon moon sun night aurora northern_light rainbow storm outdoor';
const CREATURES: readonly Subject[] = ['person', 'couple', 'cat', 'dog', 'deer', 'horse'];
const MOVES: readonly [Move, ...Move[]] = ['push_in', 'pan_left', 'pan_right', 'rise', 'pull_out'];

/** Outdoors when only a time, weather or a creature is named; a creature among leaves is not a bouquet. */
function familyOf(words: readonly string[], random: Random): Family {
  const named = findMatches(words, FAMILY_WORDS)[0];
  const outdoors =
    findMatches(words, SUBJECT_WORDS).length + findMatches(words, WEATHER_WORDS).length > 0 ||
    hasWord(words, SKY_WORDS);
  if (named === 'botanical' && subjectsOf(words).some((subject) => CREATURES.includes(subject))) return 'landscape';
  return named ?? (outdoors ? 'landscape' : random.pick(OPEN));
}

/** "A sailing ship" is one vessel and "palm trees" one kind of tree. */
function subjectsOf(words: readonly string[]): Subject[] {
  const found = findMatches(words, SUBJECT_WORDS);
  const doubled: readonly Subject[] = [
    ...(found.includes('ship') ? ['boat' as const] : []),
    ...(found.includes('palm') ? ['tree' as const] : []),
  ];
  return found.filter((subject) => !doubled.includes(subject));
}

/** @param salt varies the result between models @param run_seed between runs of the same words and model */
export function readPrompt(prompt: string, salt: string, run_seed: number): Brief {
  const words = promptWords(prompt, PHRASES);
  const base = hashText(`${prompt.trim().toLowerCase()}\u0000${salt}`);
  const seed = mix(base ^ mix(run_seed));
  const random = createRandom(seed);
  const family = familyOf(words, random);
  return {
    words,
    family,
    palette: paletteFor(words, family, DEFAULT_MOODS[family], random.fork('palette')),
    subjects: subjectsOf(words),
    weather: hasWord(words, 'indoor studio') ? [] : findMatches(words, WEATHER_WORDS),
    style: findMatches(words, STYLE_WORDS)[0] ?? null,
    move: findMatches(words, MOVE_WORDS)[0] ?? random.fork('move').pick(MOVES),
    seed,
  };
}

const negations = new Set(['no', 'without', 'not', 'never', 'minus']);

const singular = (word: string): string => {
  if (word.length > 4 && word.endsWith('ies')) return `${word.slice(0, -3)}y`;
  if (word.length > 4 && /(?:ch|sh|x|ss)es$/.test(word)) return word.slice(0, -2);
  if (word.length > 3 && word.endsWith('s') && !/(?:ss|us|is)$/.test(word)) return word.slice(0, -1);
  return word;
};

/** A prompt can be as long as a request body, and earlier words weigh more. */
const MAX_CHARACTERS = 8_000;

/** Returns lower-case singular words, phrases joined by `_`, without words after a negation: "no clouds". */
function promptWords(prompt: string, phrases: ReadonlyMap<string, string>): string[] {
  let text = prompt.slice(0, MAX_CHARACTERS).toLowerCase();
  for (const [phrase, word] of phrases) text = text.replaceAll(phrase, ` ${word} `);
  const words = text.match(/[\p{L}\p{N}_]+/gu) ?? [];
  return words.filter((_, index) => !negations.has(words[index - 1] ?? '')).map(singular);
}
