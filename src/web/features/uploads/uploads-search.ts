import type { Upload } from '#contract/resources/upload.ts';
import { startOfDay } from '#web/ui/days.ts';

/** What is shown of the uploads, as it stands in the address. Dates are local days, `YYYY-MM-DD`, both inclusive. */
export interface UploadsSearch {
  kind?: Upload['type'];
  from?: string;
  to?: string;
  q?: string;
}

// Not the contract's list: that would bring schemas into the first script.
const KINDS = { image: 1, video: 1, audio: 1 } satisfies Record<Upload['type'], 1>;

const day = (value: unknown) => (typeof value === 'string' && startOfDay(value) ? value : undefined);
const text = (value: unknown) =>
  typeof value === 'string' || typeof value === 'number' ? String(value).trim().slice(0, 500) || undefined : undefined;

/** Reads the address's search part; what is not understood is left out rather than refused. */
export function parseUploadsSearch({ kind, from, to, q }: Record<string, unknown>): UploadsSearch {
  const known = (Object.keys(KINDS) as Upload['type'][]).find((each) => each === kind);
  return withoutEmpty({ kind: known, from: day(from), to: day(to), q: text(q) });
}

/** A search without what is not set. */
export const withoutEmpty = (search: { [K in keyof UploadsSearch]: UploadsSearch[K] | undefined }): UploadsSearch =>
  Object.fromEntries(Object.entries(search).filter(([, value]) => value !== undefined));
