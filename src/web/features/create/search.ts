/** What the address asks to be filled in. */
export interface CreateSearch {
  /** A generation whose input is taken over: "Edit and run again". */
  from?: string;
  /** A generation of which an output is taken as an input. */
  use?: string;
  /** Which of its outputs, counted from 0. */
  asset?: number;
}

const ID = /^[A-Za-z0-9_-]{1,64}$/;
const id = (value: unknown) => (typeof value === 'string' && ID.test(value) ? value : undefined);

/** Reads the address's search part; what is not understood is left out. */
export function parseCreateSearch(raw: Record<string, unknown>): CreateSearch {
  const from = id(raw['from']);
  const use = id(raw['use']);
  const asset = Number(raw['asset']);
  if (from) return { from };
  if (!use) return {};
  return Number.isInteger(asset) && asset > 0 ? { use, asset } : { use };
}
