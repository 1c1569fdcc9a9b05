import type { InputContract } from '#contract/task.ts';
import { initialValue, readReferences, type FormValues } from './values/form-values.ts';

/** The medium at a place of the input: `video`, `images.0`. */
export function mediaUrl(values: FormValues, place: string): string | undefined {
  const [name = '', index = '0'] = place.split('.');
  return readReferences(values[name])[Number(index)]?.url;
}

/** Returns the values that belong to a medium which was removed or replaced, as they are without it: times, masks. */
export function staleValues({ fields }: InputContract, before: FormValues, after: FormValues): FormValues {
  const stale = fields.filter((field) => {
    const place = 'time_of' in field ? field.time_of : 'mask' in field ? field.mask?.of : undefined;
    if (place === undefined || !((place.split('.')[0] ?? '') in after) || after[field.name] !== before[field.name])
      return false;
    const previous = mediaUrl(before, place);
    return previous !== undefined && previous !== mediaUrl(after, place);
  });
  return Object.fromEntries(stale.map((field) => [field.name, initialValue(field)]));
}
