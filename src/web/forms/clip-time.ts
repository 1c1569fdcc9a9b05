import type { NumberFieldSpec } from '#contract/task.ts';
import type { FormValues } from './form-values.ts';

/** The shortest clip, in seconds. */
const MIN_CLIP_SECONDS = 0.1;

/** Rounds down to a hundredth of a second, so that a time never lies past the end. */
export const roundTime = (seconds: number) => Math.floor(seconds * 100 + 1e-6) / 100;

const numberAt = (values: FormValues, field: NumberFieldSpec | undefined) => {
  const value = field && values[field.name];
  return typeof value === 'number' ? value : undefined;
};

/**
 * Sets one of several ordered times. It stays inside the video and pushes its neighbors instead of passing them.
 * Returns all changed times in seconds by field name.
 */
export function constrainClipTimes(
  times: readonly NumberFieldSpec[],
  values: FormValues,
  moved: NumberFieldSpec,
  seconds: number,
  duration_seconds = Number.POSITIVE_INFINITY,
): Record<string, number> {
  const place = times.indexOf(moved);
  const before = place * MIN_CLIP_SECONDS;
  const after = (times.length - 1 - place) * MIN_CLIP_SECONDS;
  const end = Math.max(before, duration_seconds - after);
  const result: Record<string, number> = { [moved.name]: roundTime(Math.min(end, Math.max(before, seconds))) };
  const at = result[moved.name] ?? 0;
  times.forEach((field, index) => {
    const gap = (index - place) * MIN_CLIP_SECONDS;
    const current = numberAt(values, field);
    if (current === undefined || index === place) return;
    if (index < place && current > at + gap) result[field.name] = roundTime(Math.max(0, at + gap));
    if (index > place && current < at + gap) result[field.name] = roundTime(Math.min(duration_seconds, at + gap));
  });
  return result;
}
