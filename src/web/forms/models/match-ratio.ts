import type { ChoiceFieldSpec, InputContract, Scalar } from '#contract/task.ts';
import { isRatioField, parseAspectRatio, sortByNearness } from './compare-options.ts';
import { type FormValues, readReferences } from '#web/forms/values/form-values.ts';
import { findViolatedRule } from '#web/forms/values/rule-repair.ts';

/** Larger differences show as bars or a crop, so the option that follows the picture is better. */
const MAX_DIFFERENCE = 0.05;
/** Options with which the model follows the picture. */
const FOLLOWING = new Set<Scalar>(['adaptive', 'auto']);

export interface RatioMatch {
  field: ChoiceFieldSpec;
  value: string | number;
}

/**
 * The ratio option for a picture: the nearest one that the rules allow, or the one that follows the picture if none is near.
 * null if the form has no ratio.
 */
export function matchRatio(contract: InputContract, values: FormValues, ratio: number): RatioMatch | null {
  const field = contract.fields.find(isRatioField);
  if (field?.kind !== 'choice') return null;
  const allowed = field.options.filter((option) => !findViolatedRule(contract, values, field.name, option));
  const numeric = allowed.filter((option) => parseAspectRatio(option) !== null);
  // `sortByNearness` compares options, so the picture becomes one.
  const [nearest] = sortByNearness(numeric, `${Math.round(ratio * 1000)}:1000`);
  const following = allowed.find((option) => FOLLOWING.has(option));
  const isNear =
    nearest !== undefined && Math.abs(Math.log((parseAspectRatio(nearest) ?? 1) / ratio)) <= MAX_DIFFERENCE;
  const value = isNear ? nearest : (following ?? nearest);
  return value === undefined ? null : { field, value };
}

/** URL of the frame that sets the ratio of a video: the first one that is there. */
export function leadingFrameUrl({ fields }: InputContract, values: FormValues): string | null {
  const frames = fields.filter(({ group }) => group === 'frames');
  return frames.flatMap(({ name }) => readReferences(values[name]))[0]?.url ?? null;
}
