import { optionNumber } from '#contract/money/quantity-text.ts';
import type { FieldSpec, InputContract } from '#contract/task.ts';
import { wordsOf } from '#contract/added-models/fields/describe-field.ts';
import type { TimeUnit } from './price-schema.ts';
import { splitWords } from '#contract/added-models/split-words.ts';

/** Seconds of a unit of time. */
export const SECONDS_OF: Readonly<Record<TimeUnit, number>> = {
  milliseconds: 0.001,
  seconds: 1,
  minutes: 60,
  hours: 3_600,
};

const UNIT_WORDS: Readonly<Record<TimeUnit, readonly string[]>> = {
  milliseconds: ['ms', 'msec', 'msecs', 'millis', 'millisecond', 'milliseconds'],
  seconds: ['s', 'sec', 'secs', 'second', 'seconds'],
  minutes: ['minute', 'minutes', 'mins'],
  hours: ['hour', 'hours'],
};
const UNITS = Object.keys(UNIT_WORDS) as TimeUnit[];
const unitOfWord = (word: string): TimeUnit | undefined => UNITS.find((unit) => UNIT_WORDS[unit].includes(word));

/** The one unit of time that a text names; undefined for none, null for several. */
function unitOfText(text: string): TimeUnit | null | undefined {
  const words = text.toLowerCase().match(/[a-z]+/g) ?? [];
  const [, stated] = /\bin (milliseconds|ms|seconds|minutes|hours)\b/i.exec(text) ?? [];
  if (stated) return unitOfWord(stated.toLowerCase());
  const units = new Set(words.filter((word) => word !== 's').flatMap((word) => unitOfWord(word) ?? []));
  return units.size > 1 ? null : [...units][0];
}

/** More is no length in seconds that nobody names the unit of. */
const MAX_PLAIN_SECONDS = 600;

type NumericField = Extract<FieldSpec, { kind: 'choice' | 'number' | 'integer' }>;
const isNumeric = (field: FieldSpec): field is NumericField =>
  field.kind === 'number' || field.kind === 'integer' || field.kind === 'choice';

/** Options that leave the length to the model say no number. */
const isOpenOption = (option: string | number): boolean => option === 'auto' || option === 'adaptive';

function largestOf(field: NumericField): number | null {
  if (field.kind !== 'choice') return field.max;
  const numbers = field.options.map(optionNumber).filter((number) => number !== null);
  return numbers.length > 0 ? Math.max(...numbers) : null;
}

/**
 * The unit of time that a field is in, by its name, its options and its description; null if that is not certain, as with
 * a number of frames.
 */
export function timeUnitOf(field: FieldSpec): TimeUnit | null {
  if (!isNumeric(field)) return null;
  const words = wordsOf(field.name);
  if (words.some((word) => word === 'frame' || word === 'frames' || word === 'fps')) return null;
  const byName = words.flatMap((word) => unitOfWord(word) ?? []).at(-1);
  if (byName) return byName;
  const options = field.kind === 'choice' ? field.options.filter((option) => !isOpenOption(option)) : [];
  if (options.some((option) => optionNumber(option) === null)) return null;
  const suffixes = options.map((option) => /^[\d.]+ ?([a-z]+)/i.exec(String(option))?.[1]?.toLowerCase());
  const byOption = suffixes[0] === undefined ? undefined : unitOfWord(suffixes[0]);
  if (byOption && suffixes.every((suffix) => suffix === suffixes[0])) return byOption;
  const byHelp = unitOfText(`${field.label}. ${field.help ?? ''}`);
  if (byHelp !== undefined) return byHelp;
  const largest = largestOf(field);
  const isPlain = words.includes('duration') && largest !== null && largest <= MAX_PLAIN_SECONDS;
  return isPlain && !/\bframes?\b/i.test(field.help ?? '') ? 'seconds' : null;
}

const LENGTH_WORDS = ['duration', 'length', 'len', ...UNITS.flatMap((unit) => UNIT_WORDS[unit])];
/** Words of what is no length of a result: where it starts, parts of it, parameters, bounds. */
const OTHER_LENGTH_WORDS = splitWords(
  'start begin beginning from offset position at end before after extend extension segment chunk',
  'overlap window context stride interval refresh step per trim cut fade crossfade silence pause delay',
  'gap padding loop timeout cooldown expiry max maximum min minimum reference ref prompt text token',
  'tokens sequence edge',
);
/** Words of parts that may come on top of the length of a result. */
const PART_LENGTH_WORDS = ['intro', 'outro', 'warmup'];

const hasWord = ({ name }: FieldSpec, words: readonly string[]): boolean =>
  wordsOf(name).some((word) => words.includes(word));

/** Whether a field is named like the length of a result. */
export const isLengthField = (field: FieldSpec): boolean =>
  isNumeric(field) && hasWord(field, LENGTH_WORDS) && !hasWord(field, OTHER_LENGTH_WORDS);

const isPartLength = (field: FieldSpec): boolean => isLengthField(field) && hasWord(field, PART_LENGTH_WORDS);

/** The field that sets the length of a result, and its unit; null if none certainly does. */
export function findLengthField({ fields }: InputContract): { field: string; measured_in: TimeUnit } | null {
  const [first, second] = fields.filter(isLengthField);
  const countsFrames = fields.some((field) => isNumeric(field) && hasWord(field, ['frames']));
  const isUncertain = second !== undefined || countsFrames || fields.some(isPartLength);
  const measuredIn = first === undefined || isUncertain ? null : timeUnitOf(first);
  return first && measuredIn ? { field: first.name, measured_in: measuredIn } : null;
}

/** Words of what makes a result longer or shorter than the file that it is made from. */
const CHANGING_WORDS = splitWords(
  'duration length seconds frames extend extension loop speed tempo stretch repeat trim start end begin',
  'before after total',
);
const PART_WORDS = ['segment', 'chunk', 'overlap', 'window', 'context', 'stride', 'fade', 'batch'];

/** Whether a form can make a result longer or shorter than the file that it is made from. */
export const changesLength = ({ fields }: InputContract): boolean =>
  fields.some((field) => isNumeric(field) && hasWord(field, CHANGING_WORDS) && !hasWord(field, PART_WORDS));
