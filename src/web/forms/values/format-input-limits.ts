import type { ChoiceFieldSpec, FieldSpec, InputContract, MediaKind } from '#contract/task.ts';
import { formatReferenceCount, optionLabel } from './format-field-value.ts';
import { isRatioField, parseAspectRatio, parseOptionSize } from '#web/forms/models/compare-options.ts';
import { MEDIA_NOUNS } from '#web/media/format-media.ts';
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

/** "Up to 4K", "Up to 3840 × 2160". */
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

/** null if the duration is not an input or has no limit. */
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

function formatReferenceLimits(contract: InputContract): string[] {
  const counts = new Map<MediaKind, number>();
  for (const field of contract.fields.filter(({ group }) => group !== 'frames')) {
    const maxCount =
      field.kind === 'references' ? field.max_items : field.kind === 'reference' && !field.required ? 1 : 0;
    if (maxCount && 'media' in field) counts.set(field.media, (counts.get(field.media) ?? 0) + maxCount);
  }
  const [only, ...others] = counts;
  if (only && others.length === 0) return [`${only[1]} reference ${MEDIA_NOUNS[only[0]][only[1] === 1 ? 0 : 1]}`];
  const parts = [...counts].map(([kind, count]) => formatReferenceCount(kind, count));
  return parts.length > 0 ? [`${formatList(parts)} as references`] : [];
}

export function formatInputLimits(contract: InputContract): string[] {
  const frames = contract.fields.some(({ group }) => group === 'frames') ? 'start and end frame' : null;
  return [formatLargestSize(contract), formatDurations(contract), frames, ...formatReferenceLimits(contract)].filter(
    (text) => text !== null,
  );
}
