import type { InputContract, ReferenceFieldSpec } from '#contract/task.ts';
import type { ReferenceInfo } from '#web/api/reference-info.ts';
import { type FormValues, readReferences } from './values/form-values.ts';

/** Containers round to whole frames, so the service takes clips that are slightly longer. */
const TOLERANCE_SECONDS = 0.05;

type LimitedField = ReferenceFieldSpec & { seconds: NonNullable<ReferenceFieldSpec['seconds']> };

/** The file that a form works on, where its length is limited. */
export function limitedClip(
  { fields }: InputContract,
  values: FormValues,
): { field: LimitedField; url: string } | null {
  const field = fields.find((each): each is LimitedField => each.kind === 'reference' && each.seconds !== undefined);
  const [item] = field ? readReferences(values[field.name]) : [];
  return field && item ? { field, url: item.url } : null;
}

/** Why a file is too long or too short for a field; null if it fits or its length is unknown. */
export function clipLengthProblem({ label, seconds }: LimitedField, info: ReferenceInfo | undefined): string | null {
  const { duration_seconds: length } = info ?? {};
  if (length == null) return null;
  const { min, max } = seconds;
  if (length >= min - TOLERANCE_SECONDS && length <= max + TOLERANCE_SECONDS) return null;
  return `${label} must be ${min} to ${max} s long; it is ${Number(length.toFixed(1))} s.`;
}
