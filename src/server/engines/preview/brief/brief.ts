import type { MoodName, Palette } from '../color/moods.ts';
import { paletteFor } from '../color/palette.ts';
import { createRandom, hashText, mix, type Random } from '../random.ts';
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
import { hasWord, findMatches } from './score.ts';
import { promptWords } from './words.ts';

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

/**
 * @param salt varies the result between models
 * @param run_seed varies the result between runs of the same words and model
 */
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
