import type { ChoiceFieldSpec, FieldSpec, InputContract, NumberFieldSpec } from '#contract/task.ts';
import { formatList } from '#web/ui/formats.ts';
import { optionLabel } from '#web/forms/values/format-field-value.ts';

export interface EqualPriceDurations {
  message: string;
  field: string;
  longest: number;
  longestLabel: string;
}

type DurationField = ChoiceFieldSpec | NumberFieldSpec;

const isDurationField = (field: FieldSpec): field is DurationField =>
  (field.kind === 'choice' || field.kind === 'integer') && field.unit === 's' && !('time_of' in field && field.time_of);

export const findDurationField = ({ fields }: InputContract): DurationField | undefined => fields.find(isDurationField);

/** In seconds, ascending; none of a field without a narrow range. */
export function durationCandidates(field: DurationField): number[] {
  if (field.kind === 'choice') return field.options.filter((option) => typeof option === 'number');
  const { min, max } = field;
  if (min === null || max === null || max - min > 120) return [];
  return Array.from({ length: max - min + 1 }, (_, at) => min + at);
}

/** @param durations of one price, ascending @returns null if no other duration has the price of the selected one */
export function describeEqualPrices(
  field: DurationField,
  selected: number,
  durations: readonly number[],
  isMinimum: boolean,
): EqualPriceDurations | null {
  const longest = durations.at(-1);
  if (durations.length < 2 || longest === undefined || !durations.includes(selected)) return null;
  const list = durations.length > 6 ? `${durations[0]} to ${longest}` : formatList(durations.map(String));
  return {
    message: `${isMinimum ? 'Minimum charge: ' : ''}${list} s cost the same.`,
    field: field.name,
    longest,
    longestLabel: field.kind === 'choice' ? optionLabel(field, longest) : `${longest} s`,
  };
}
