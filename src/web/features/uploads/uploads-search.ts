import type { Upload } from '#contract/resources/upload.ts';
import { startOfLocalDay } from '#web/ui/days.ts';

/** Search parameters of the uploads. Dates are local days, `YYYY-MM-DD`, both inclusive. */
export interface UploadsSearch {
  kind?: Upload['type'];
  from?: string;
  to?: string;
  q?: string;
}

// Importing the contract's enum would add its schemas to the first script.
const UPLOAD_KINDS = { image: 1, video: 1, audio: 1 } satisfies Record<Upload['type'], 1>;

const parseDay = (value: unknown) => (typeof value === 'string' && startOfLocalDay(value) ? value : undefined);
const parseText = (value: unknown) =>
  typeof value === 'string' || typeof value === 'number' ? String(value).trim().slice(0, 500) || undefined : undefined;

/** Reads the address's search part; what is not understood is left out rather than refused. */
export function parseUploadsSearch({ kind, from, to, q }: Record<string, unknown>): UploadsSearch {
  const known = (Object.keys(UPLOAD_KINDS) as Upload['type'][]).find((each) => each === kind);
  return compactUploadsSearch({ kind: known, from: parseDay(from), to: parseDay(to), q: parseText(q) });
}

/** A search without what is not set. */
export const compactUploadsSearch = (search: {
  [K in keyof UploadsSearch]: UploadsSearch[K] | undefined;
}): UploadsSearch => Object.fromEntries(Object.entries(search).filter(([, value]) => value !== undefined));
