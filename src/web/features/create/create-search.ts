import { parseId } from '#web/ui/search-params.ts';

/** What the address asks to be filled in. */
export interface CreateSearch {
  /** A generation whose input is taken over: "Edit and run again". */
  from?: string;
  /** A generation of which an output is taken as an input. */
  use?: string;
  /** Which of its outputs, counted from 0. */
  asset?: number;
  /** Or which of the posts it found, counted from 0: its cover. */
  post?: number;
  /** Media of the library that are taken as inputs, by comma. */
  media?: string;
}

/** As many as any field takes. */
const MEDIA = /^(?:ast|upl)_\w{26}(?:,(?:ast|upl)_\w{26}){0,15}$/;

/** Reads the address's search part; what is not understood is left out. */
export function parseCreateSearch(raw: Record<string, unknown>): CreateSearch {
  const from = parseId(raw['from']);
  const use = parseId(raw['use']);
  const [asset, post] = [raw['asset'], raw['post']].map(Number);
  const media = raw['media'];
  if (from) return { from };
  if (typeof media === 'string' && MEDIA.test(media)) return { media };
  if (!use) return {};
  if (post !== undefined && Number.isInteger(post) && post >= 0) return { use, post };
  return asset !== undefined && Number.isInteger(asset) && asset > 0 ? { use, asset } : { use };
}
