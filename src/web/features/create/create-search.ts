import { parseId } from '#web/ui/search-params.ts';

/** Search parameters: what fills in the form, or what is open over it. */
export interface CreateSearch {
  /** Two ids of media that are compared over the page. */
  compare?: string;
  /** Id of a generation whose input is reused. */
  from?: string;
  /** Replaces the words of the search that is reused. */
  query?: string;
  /** Id of a generation whose output becomes an input. */
  use?: string;
  asset?: number;
  /** Index of a post whose cover is used instead of an output. */
  post?: number;
  /** Comma-separated ids of media. */
  media?: string;
  /** Id of a preset whose form is filled in. */
  preset?: string;
  /** Comma-separated names of the fields that are filled in; default: the field that fits. */
  fields?: string;
  /** Saves the last frame of the clip first and uses that. */
  frame?: 'last';
  /** Seconds at which the clip was on screen. */
  at?: number;
  /** Seconds at which the part of the clip ends. */
  end?: number;
}

/** At most as many as any field accepts. */
const MEDIA_IDS = /^(?:ast|upl)_\w{26}(?:,(?:ast|upl)_\w{26}){0,15}$/;
const PAIR = /^(?:ast|upl)_\w{26},(?:ast|upl)_\w{26}$/;
const MAX_QUERY = 200;
const FIELD_NAMES = /^[a-z_]{1,40}(?:,[a-z_]{1,40}){0,3}$/;

export function parseCreateSearch(raw: Record<string, unknown>): CreateSearch {
  const from = parseId(raw['from']);
  const use = parseId(raw['use']);
  const preset = parseId(raw['preset']);
  const [asset, post, at, end] = [raw['asset'], raw['post'], raw['at'], raw['end']].map(Number);
  const { media, fields, frame, query } = raw;
  if (from) return typeof query === 'string' && query.length <= MAX_QUERY ? { from, query } : { from };
  if (preset) return { preset };
  if (typeof raw['compare'] === 'string' && PAIR.test(raw['compare'])) return { compare: raw['compare'] };
  const how = {
    ...(typeof fields === 'string' && FIELD_NAMES.test(fields) ? { fields } : {}),
    ...(frame === 'last' ? { frame: 'last' as const } : {}),
    ...(at !== undefined && at > 0 && Number.isFinite(at) ? { at } : {}),
    ...(end !== undefined && end > 0 && Number.isFinite(end) ? { end } : {}),
  };
  if (typeof media === 'string' && MEDIA_IDS.test(media)) return { media, ...how };
  if (!use) return {};
  if (post !== undefined && Number.isInteger(post) && post >= 0) return { use, post, ...how };
  return asset !== undefined && Number.isInteger(asset) && asset > 0 ? { use, asset, ...how } : { use, ...how };
}
