import type { NumberFieldSpec } from '#contract/task.ts';
import type { FormValues } from './form-values.ts';

export const MIN_CLIP_SECONDS = 0.1;

/** Rounds down to a hundredth of a second, so that a time is never past the end. */
export const roundTime = (seconds: number) => Math.floor(seconds * 100 + 1e-6) / 100;

const numberAt = (values: FormValues, field: NumberFieldSpec | undefined) => {
  const value = field && values[field.name];
  return typeof value === 'number' ? value : undefined;
};

/** Moves a time within the video, pushing its neighbors along. Returns the changed times by field name, in seconds. */
export function constrainClipTimes(
  times: readonly NumberFieldSpec[],
  values: FormValues,
  target: NumberFieldSpec,
  seconds: number,
  duration_seconds = Number.POSITIVE_INFINITY,
): Record<string, number> {
  const position = times.indexOf(target);
  const startSeconds = position * MIN_CLIP_SECONDS;
  const endSeconds = Math.max(startSeconds, duration_seconds - (times.length - 1 - position) * MIN_CLIP_SECONDS);
  const result: Record<string, number> = {
    [target.name]: roundTime(Math.min(endSeconds, Math.max(startSeconds, seconds))),
  };
  const at = result[target.name] ?? 0;
  times.forEach((field, index) => {
    const gap = (index - position) * MIN_CLIP_SECONDS;
    const current = numberAt(values, field);
    if (current === undefined || index === position) return;
    if (index < position && current > at + gap) result[field.name] = roundTime(Math.max(0, at + gap));
    if (index > position && current < at + gap) result[field.name] = roundTime(Math.min(duration_seconds, at + gap));
  });
  return result;
}
