import { parseId } from '#web/ui/search-params.ts';

/** Search parameters that prefill the form. */
export interface CreateSearch {
  /** Id of a generation whose input is reused. */
  from?: string;
  /** Id of a generation whose output becomes an input. */
  use?: string;
  asset?: number;
  /** Index of a post whose cover is used instead of an output. */
  post?: number;
  /** Comma-separated ids of media. */
  media?: string;
  /** Id of a preset whose form is filled in. */
  preset?: string;
}

/** At most as many as any field accepts. */
const MEDIA_IDS = /^(?:ast|upl)_\w{26}(?:,(?:ast|upl)_\w{26}){0,15}$/;

export function parseCreateSearch(raw: Record<string, unknown>): CreateSearch {
  const from = parseId(raw['from']);
  const use = parseId(raw['use']);
  const preset = parseId(raw['preset']);
  const [asset, post] = [raw['asset'], raw['post']].map(Number);
  const media = raw['media'];
  if (from) return { from };
  if (preset) return { preset };
  if (typeof media === 'string' && MEDIA_IDS.test(media)) return { media };
  if (!use) return {};
  if (post !== undefined && Number.isInteger(post) && post >= 0) return { use, post };
  return asset !== undefined && Number.isInteger(asset) && asset > 0 ? { use, asset } : { use };
}
