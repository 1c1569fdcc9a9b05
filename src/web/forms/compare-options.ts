import type { ChoiceFieldSpec, FieldSpec, Scalar } from '#contract/task.ts';

/** Width ÷ height of an option such as `16:9` or `1536x1024`; null where it names none. */
export function parseAspectRatio(option: unknown): number | null {
  const match = /^(\d+)[:x](\d+)$/.exec(String(option));
  return match ? Number(match[1]) / Number(match[2]) : null;
}

/** How much an option such as `720p`, `4K`, `320k` or 8 stands for, only comparable within one field. */
export function parseOptionSize(option: unknown): number | null {
  const match = /^(\d+(?:\.\d+)?)([kK]?)p?$/.exec(String(option));
  return match ? Number(match[1]) * (match[2] ? 1000 : 1) : null;
}

/** How far apart two options are; null where they can't be compared. */
function optionDistance(a: unknown, b: unknown): number | null {
  const [ratioA, ratioB] = [parseAspectRatio(a), parseAspectRatio(b)];
  if (ratioA !== null && ratioB !== null) return Math.abs(Math.log(ratioA / ratioB));
  const [sizeA, sizeB] = [parseOptionSize(a), parseOptionSize(b)];
  return sizeA !== null && sizeB !== null ? Math.abs(Math.log(sizeA / sizeB)) : null;
}

/** The options, nearest to `wanted` first; those that can't be compared stay in their order, behind. */
export function sortByNearness<T extends Scalar>(options: readonly T[], wanted: unknown): T[] {
  const far = (option: T) => (option === wanted ? -1 : (optionDistance(option, wanted) ?? Number.POSITIVE_INFINITY));
  return options
    .map((option, index) => ({ option, index, far: far(option) }))
    .sort((a, b) => (a.far === b.far ? a.index - b.index : a.far - b.far))
    .map(({ option }) => option);
}

/** Everything a choice may be, null first where it may be null. */
export const choiceOptions = (field: ChoiceFieldSpec): Scalar[] => [
  ...(field.nullable ? [null] : []),
  ...field.options,
];

/** The option of a field nearest to a value of another; undefined where nothing can be compared. */
export function nearestOption(field: ChoiceFieldSpec, wanted: unknown): Scalar | undefined {
  const [nearest] = sortByNearness(choiceOptions(field), wanted);
  if (nearest === undefined) return undefined;
  return nearest === wanted || optionDistance(nearest, wanted) !== null ? nearest : undefined;
}

export const isRatioField = (field: FieldSpec) => field.kind === 'choice' && field.control === 'ratio';
