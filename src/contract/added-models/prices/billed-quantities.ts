import type { AddedPrice } from './price-schema.ts';

/** What the units of a provider count. */
type BilledUnit =
  | 'image'
  | 'video'
  | 'audio'
  | 'megapixel'
  | 'second'
  | 'compute second'
  | 'character'
  | 'token'
  | 'run'
  /** The provider's own, such as credits. */
  | 'other';

/**
 * Where a quantity is found before a run. `outputs`: one per output; `run`: one; `file`: the only file; `size`: the field
 * with the size, per output; `length`: the field with the length; `input`: the length of the only sound or video; `text`:
 * its characters; `bill`: only the provider knows.
 */
export type Counting = 'outputs' | 'run' | 'file' | 'size' | 'length' | 'input' | 'text' | 'bill';

/** What fal calls its models, read with `GET /v1/models` (tombeckenham/ai-tom 80c91cd, of 2026-01-28). */
const IMAGES = ['text-to-image', 'image-to-image'] as const;
const VIDEOS = ['text-to-video', 'image-to-video', 'video-to-video', 'audio-to-video'] as const;
const SOUNDS = [
  'text-to-audio',
  'text-to-speech',
  'text-to-music',
  'audio-to-audio',
  'speech-to-speech',
  'video-to-audio',
] as const;
const READERS = ['vision', 'image-to-text', 'image-to-json', 'json'] as const;

const ANY_CATEGORY = 'any';

const each = (categories: readonly string[], counting: Counting): Readonly<Record<string, Counting>> =>
  Object.fromEntries(categories.map((category) => [category, counting]));

/**
 * What a unit counts in models of a category; `bill` where nothing stands. Compared with the prices of
 * `GET /v1/models/pricing` (nodetool-ai/nodetool fal-unit-pricing.json, of 2026-07-28) and with the texts of their pages
 * (nodetool-ai/nodetool-fal all_models.json), both read 2026-11-28:
 * - seconds of text to speech are those of the speech, which no field says;
 * - seconds of a video with sound as its input depend on both;
 * - megapixels of a video have its frames in them, and those of an edit often its input.
 */
const COUNTED: Readonly<Record<BilledUnit, Readonly<Record<string, Counting>>>> = {
  image: { ...each(IMAGES, 'outputs'), ...each(READERS, 'file') },
  video: { ...each(VIDEOS, 'outputs'), 'video-to-audio': 'file' },
  audio: each(SOUNDS, 'outputs'),
  megapixel: { 'text-to-image': 'size' },
  second: {
    ...each(['text-to-video', 'image-to-video', 'text-to-audio', 'text-to-music', 'video-to-audio'], 'length'),
    ...each(['audio-to-audio', 'speech-to-speech', 'video-to-video'], 'input'),
    ...each(['speech-to-text', 'audio-to-text', 'video-to-text'], 'input'),
  },
  'compute second': {},
  character: each(['text-to-speech', 'text-to-audio', 'text-to-music', 'audio-to-audio', 'speech-to-speech'], 'text'),
  token: {},
  run: { [ANY_CATEGORY]: 'run' },
  other: {},
};

export const usualCounting = (counts: BilledUnit, category: string | null): Counting =>
  [category ?? '', ANY_CATEGORY].flatMap((name) =>
    Object.hasOwn(COUNTED[counts], name) ? [COUNTED[counts][name]] : [],
  )[0] ?? 'bill';

type Basis = Pick<AddedPrice, 'unit' | 'per'> & {
  counts: BilledUnit;
  /** Units of ours in one of the provider's. */
  size: number;
};
const basis = (counts: BilledUnit, unit: AddedPrice['unit'], size = 1, per: AddedPrice['per'] = 1): Basis => ({
  counts,
  unit,
  size,
  per,
});

/** Nouns of units, singular. */
const NOUNS = toMap<Basis>({
  image: basis('image', 'image'),
  video: basis('video', 'run'),
  audio: basis('audio', 'run'),
  megapixel: basis('megapixel', 'megapixel'),
  mp: basis('megapixel', 'megapixel'),
  second: basis('second', 'second'),
  sec: basis('second', 'second'),
  minute: basis('second', 'second', 60),
  hour: basis('second', 'second', 3_600),
  character: basis('character', '1000_characters', 0.001),
  token: basis('token', 'token', 1, 1_000_000),
  generation: basis('run', 'run'),
  request: basis('run', 'run'),
  run: basis('run', 'run'),
});
const OWN = basis('other', 'run');

/** What is counted: a file of the input, the result, or both. */
export type BilledSide = 'input' | 'output' | 'both';
const SIDES = toMap<BilledSide>({ input: 'input', output: 'output', generated: 'output', processed: 'both' });
const COMPUTE_WORDS = ['compute', 'gpu', 'inference'];
const MEDIUM_WORDS = ['audio', 'video', 'image', 'speech', 'text'];
const FACTORS = toMap<number>({ k: 1_000, thousand: 1_000, m: 1_000_000, million: 1_000_000 });

interface ParsedUnit {
  /** Units that are billed at once. */
  count: number;
  basis: Basis;
  side: BilledSide | null;
  /** Whether the unit is one that prices here can count; otherwise it is the provider's own. */
  isKnown: boolean;
}

/** `5 seconds`, `input audio minutes`, `1m tokens`, `gpu_second`, `seconds of audio` */
export function parseUnit(text: string): ParsedUnit {
  const own: ParsedUnit = { count: 1, basis: OWN, side: null, isKnown: false };
  const plain = text.slice(0, 80).toLowerCase().replaceAll('_', ' ').trim();
  const [, digits, rest = ''] = /^(?:per )?(\d[\d,]{0,8}(?=[ km]))?(.*)$/.exec(plain) ?? [];
  const words = rest.match(/[a-z]+/g) ?? [];
  const factor = FACTORS.get(words[0] ?? '');
  const count = Number(digits?.replaceAll(',', '') ?? 1) * (factor ?? 1);
  const [before = [], after = []] = splitAt(factor === undefined ? words : words.slice(1), 'of');
  const noun = before.at(-1) ?? '';
  const found = NOUNS.get(noun) ?? NOUNS.get(noun.replace(/s$/, ''));
  const others = [...before.slice(0, -1), ...after];
  const isCompute = others.some((word) => COMPUTE_WORDS.includes(word));
  const isOther = (word: string) => !COMPUTE_WORDS.includes(word) && !MEDIUM_WORDS.includes(word) && !SIDES.has(word);
  if (!found || !(count > 0) || others.some(isOther)) return own;
  const sides = new Set(others.flatMap((word) => SIDES.get(word) ?? []));
  const side = sides.size > 1 ? 'both' : ([...sides][0] ?? null);
  if (!isCompute) return { count, basis: found, side, isKnown: true };
  return found.counts === 'second'
    ? { count, basis: { ...found, counts: 'compute second' }, side: null, isKnown: true }
    : own;
}

function splitAt(words: readonly string[], at: string): [string[], string[]] {
  const index = words.indexOf(at);
  return index < 0 ? [[...words], []] : [words.slice(0, index), words.slice(index + 1)];
}

/** By name; unlike an object, a map has no names of its own. */
function toMap<Value>(entries: Readonly<Record<string, Value>>): ReadonlyMap<string, Value> {
  return new Map(Object.entries(entries));
}
