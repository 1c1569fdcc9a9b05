import type { Upload } from '#contract/resources/upload.ts';
import { MEDIA_KINDS } from '#contract/task.ts';
import { omitUndefined, parseDay, parseId, parseOption, parseText } from '#web/ui/search-params.ts';

/** Search parameters of the uploads. Dates are local days, `YYYY-MM-DD`, both inclusive. */
export interface UploadsSearch {
  kind?: Upload['type'];
  from?: string;
  to?: string;
  q?: string;
  /** See `usePersonFilter`. */
  person?: string;
}

/** Parses the search parameters of the URL and omits invalid ones. */
export function parseUploadsSearch({ kind, from, to, q, person }: Record<string, unknown>): UploadsSearch {
  return omitUndefined({
    kind: parseOption(MEDIA_KINDS, kind),
    from: parseDay(from),
    to: parseDay(to),
    q: parseText(q),
    person: parseId(person),
  });
}
