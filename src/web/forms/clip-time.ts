import type { InputContract, NumberFieldSpec } from '#contract/task.ts';
import { initialValue, readReferences, type FormValues } from './form-values.ts';

const MIN_CLIP_SECONDS = 0.1;

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
  const start_seconds = position * MIN_CLIP_SECONDS;
  const end_seconds = Math.max(start_seconds, duration_seconds - (times.length - 1 - position) * MIN_CLIP_SECONDS);
  const result: Record<string, number> = {
    [target.name]: roundTime(Math.min(end_seconds, Math.max(start_seconds, seconds))),
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

const mediaUrl = (values: FormValues, name: string) => readReferences(values[name])[0]?.url;

/** Returns the times that belong to a video which was removed or replaced, as they are without it. */
export function staleTimes({ fields }: InputContract, before: FormValues, after: FormValues): FormValues {
  const stale = fields.filter((field) => {
    const media = 'time_of' in field ? field.time_of : undefined;
    if (media === undefined || !(media in after) || after[field.name] !== before[field.name]) return false;
    const previous = mediaUrl(before, media);
    return previous !== undefined && previous !== mediaUrl(after, media);
  });
  return Object.fromEntries(stale.map((field) => [field.name, initialValue(field)]));
}
