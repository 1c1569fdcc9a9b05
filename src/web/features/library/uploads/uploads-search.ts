import type { Upload } from '#contract/resources/upload.ts';
import { omitUndefined, parseDay, parseId, parseKey, parseText } from '#web/ui/search-params.ts';

/** Search parameters of the uploads. Dates are local days, `YYYY-MM-DD`, both inclusive. */
export interface UploadsSearch {
  kind?: Upload['type'];
  from?: string;
  to?: string;
  q?: string;
  /** See `usePersonFilter`. */
  person?: string;
}

// Importing the contract's enum would add its schemas to the first script.
const UPLOAD_KINDS = { image: 1, video: 1, audio: 1 } satisfies Record<Upload['type'], 1>;

/** Parses the search parameters of the URL and omits invalid ones. */
export function parseUploadsSearch({ kind, from, to, q, person }: Record<string, unknown>): UploadsSearch {
  return omitUndefined({
    kind: parseKey(UPLOAD_KINDS, kind),
    from: parseDay(from),
    to: parseDay(to),
    q: parseText(q),
    person: parseId(person),
  });
}
