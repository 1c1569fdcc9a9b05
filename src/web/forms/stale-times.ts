import type { InputContract } from '#contract/task.ts';
import { initialValue, readReferences, type FormValues } from './values/form-values.ts';

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
