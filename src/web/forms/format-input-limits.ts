import type { ChoiceFieldSpec, FieldSpec, InputContract, MediaKind } from '#contract/task.ts';
import { optionLabel } from './format-field-value.ts';
import { isRatioField, parseAspectRatio, parseOptionSize } from './compare-options.ts';
import { formatOrList, formatList } from '#web/ui/formats.ts';

const pixelCount = (option: string | number) =>
  String(option)
    .split('x')
    .map(Number)
    .reduce((a, b) => a * b, 1);
const findLargestOption = (field: ChoiceFieldSpec, measure: (option: string | number) => number | null) =>
  field.options
    .filter((option) => measure(option) !== null)
    .reduce<string | number | null>(
      (best, option) => (best === null || (measure(option) ?? 0) > (measure(best) ?? 0) ? option : best),
      null,
    );

/** "Up to 4K", "Up to 3840 × 2160": the largest result. */
function formatLargestSize(contract: InputContract): string | null {
  for (const field of contract.fields) {
    if (field.kind !== 'choice' || field.group !== 'shape' || field.unit) continue;
    const sized = isRatioField(field)
      ? findLargestOption(field, (option) =>
          String(option).includes('x') && parseAspectRatio(option) !== null ? pixelCount(option) : null,
        )
      : field.options.every((option) => /^\d+[pK]$/.test(String(option)))
        ? findLargestOption(field, parseOptionSize)
        : null;
    if (sized !== null)
      return field.options.length > 1 ? `Up to ${optionLabel(field, sized)}` : optionLabel(field, sized);
  }
  return null;
}

const isDurationField = (field: FieldSpec) => 'unit' in field && field.unit === 's' && field.group === 'shape';

const lengthField = ({ fields }: InputContract) =>
  fields.find((field) => isDurationField(field) && field.name.startsWith('duration'));

/** Seconds of the longest clip that can be ordered; null where the length is not an input or has no limit. */
export function longestSeconds(contract: InputContract): number | null {
  const field = lengthField(contract);
  if (field?.kind === 'choice') return Math.max(...field.options.map(Number));
  return field?.kind === 'integer' ? field.max : null;
}

/** "4 to 15 s", "4, 6 or 8 s". */
function formatDurations(contract: InputContract): string | null {
  const field = lengthField(contract);
  if (field?.kind === 'choice') return `${formatOrList(field.options.map(String))} s`;
  return field?.kind === 'integer' && field.max !== null ? `${field.min} to ${field.max} s` : null;
}

const REFERENCE_NOUNS = {
  image: ['image', 'images'],
  video: ['video', 'videos'],
  audio: ['sound', 'sounds'],
} as const satisfies Record<MediaKind, readonly [one: string, many: string]>;

function formatReferenceLimits(contract: InputContract): string[] {
  const counts = new Map<MediaKind, number>();
  for (const field of contract.fields.filter(({ group }) => group !== 'frames')) {
    const more = field.kind === 'references' ? field.max_items : field.kind === 'reference' && !field.required ? 1 : 0;
    if (more && 'media' in field) counts.set(field.media, (counts.get(field.media) ?? 0) + more);
  }
  const nounOf = (kind: MediaKind, count: number) => REFERENCE_NOUNS[kind][count === 1 ? 0 : 1];
  const [only, ...others] = counts;
  if (only && others.length === 0) return [`${only[1]} reference ${nounOf(...only)}`];
  const parts = [...counts].map(([kind, count]) => `${count} ${nounOf(kind, count)}`);
  return parts.length > 0 ? [`${formatList(parts)} as references`] : [];
}

/** What a model makes and takes, in a few words each. */
export function formatInputLimits(contract: InputContract): string[] {
  const frames = contract.fields.some(({ group }) => group === 'frames') ? 'first and last frame' : null;
  return [formatLargestSize(contract), formatDurations(contract), frames, ...formatReferenceLimits(contract)].filter(
    (words) => words !== null,
  );
}
