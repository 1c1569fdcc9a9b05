import type { ChoiceFieldSpec, FieldSpec, Scalar } from '#contract/task.ts';

/** Width ÷ height of an option such as `16:9` or `1536x1024`; null for others. */
export function parseAspectRatio(option: unknown): number | null {
  const match = /^(\d+)[:x](\d+)$/.exec(String(option));
  return match ? Number(match[1]) / Number(match[2]) : null;
}

/** "3:2 · 1536 × 1024": pixels are no shape that can be compared with those of other models. */
export function withRatio(option: unknown, label: string): string {
  const [width = 0, height = 0] = /^\d+x\d+$/.test(String(option)) ? String(option).split('x').map(Number) : [];
  const divisor = greatestDivisor(width, height);
  return divisor === 0 ? label : `${width / divisor}:${height / divisor} · ${label}`;
}

const greatestDivisor = (a: number, b: number): number => (b === 0 ? a : greatestDivisor(b, a % b));

/** The size of an option such as `720p`, `4K`, `320k` or 8, comparable only within one field; null for others. */
export function parseOptionSize(option: unknown): number | null {
  const match = /^(\d+(?:\.\d+)?)([kK]?)p?$/.exec(String(option));
  return match ? Number(match[1]) * (match[2] ? 1000 : 1) : null;
}

function optionDistance(a: unknown, b: unknown): number | null {
  const [ratioA, ratioB] = [parseAspectRatio(a), parseAspectRatio(b)];
  if (ratioA !== null && ratioB !== null) return Math.abs(Math.log(ratioA / ratioB));
  const [sizeA, sizeB] = [parseOptionSize(a), parseOptionSize(b)];
  return sizeA !== null && sizeB !== null ? Math.abs(Math.log(sizeA / sizeB)) : null;
}

/** Options without a comparable size or ratio come last. */
export function sortByNearness<T extends Scalar>(options: readonly T[], target: unknown): T[] {
  const distance = (option: T) =>
    option === target ? -1 : (optionDistance(option, target) ?? Number.POSITIVE_INFINITY);
  return options
    .map((option, index) => ({ option, index, distance: distance(option) }))
    .sort((a, b) => (a.distance === b.distance ? a.index - b.index : a.distance - b.distance))
    .map(({ option }) => option);
}

export const choiceOptions = (field: ChoiceFieldSpec): Scalar[] => [
  ...(field.nullable ? [null] : []),
  ...field.options,
];

/** undefined if no option is comparable. */
export function nearestOption(field: ChoiceFieldSpec, target: unknown): Scalar | undefined {
  const [nearest] = sortByNearness(choiceOptions(field), target);
  if (nearest === undefined) return undefined;
  return nearest === target || optionDistance(nearest, target) !== null ? nearest : undefined;
}

export const isRatioField = (field: FieldSpec) => field.kind === 'choice' && field.control === 'ratio';
