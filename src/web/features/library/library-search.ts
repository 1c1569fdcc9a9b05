import { MODEL_IDS, TASK_IDS, type ModelId, type TaskId } from '#contract/ids.ts';
import type { MediaItem } from '#contract/resources/media.ts';
import { startOfLocalDay } from '#web/ui/days.ts';

/** Search parameters of the library. Dates are local days, `YYYY-MM-DD`, both inclusive. */
export interface LibrarySearch {
  kind?: MediaItem['type'];
  origin?: MediaItem['origin'];
  task?: TaskId;
  model?: ModelId;
  from?: string;
  to?: string;
  starred?: true;
  q?: string;
  /** ID of the open file. */
  item?: string;
  show?: 'lineage';
  /** IDs of the two compared files, separated by a comma. */
  compare?: string;
}

export type LibraryFilters = Omit<LibrarySearch, 'item' | 'show' | 'compare'>;

const ID = '(?:ast|upl)_[0-9a-hjkmnp-tv-z]{26}';
const SINGLE_ID = new RegExp(`^${ID}$`);
const ID_PAIR = new RegExp(`^${ID},${ID}$`);

// Not the contract's lists: those would bring schemas into the first script.
const MEDIA_KIND_KEYS = { image: 1, video: 1, audio: 1 } satisfies Record<MediaItem['type'], 1>;
const ORIGIN_KEYS = { upload: 1, generated: 1 } satisfies Record<MediaItem['origin'], 1>;

const findKey = <T extends string>(table: Record<T, 1>, value: unknown): T | undefined =>
  (Object.keys(table) as T[]).find((key) => key === value);
const findOption = <T extends string>(list: readonly T[], value: unknown): T | undefined =>
  list.find((item) => item === value);
const parseDay = (value: unknown) => (typeof value === 'string' && startOfLocalDay(value) ? value : undefined);
const parsePattern = (form: RegExp, value: unknown) =>
  typeof value === 'string' && form.test(value) ? value : undefined;

/** Reads the search parameters and drops invalid ones. */
export function parseLibrarySearch(raw: Record<string, unknown>): LibrarySearch {
  const q = typeof raw['q'] === 'string' || typeof raw['q'] === 'number' ? String(raw['q']).trim().slice(0, 500) : '';
  const item = parsePattern(SINGLE_ID, raw['item']);
  return compactLibrarySearch({
    kind: findKey(MEDIA_KIND_KEYS, raw['kind']),
    origin: findKey(ORIGIN_KEYS, raw['origin']),
    task: findOption(TASK_IDS, raw['task']),
    model: findOption(MODEL_IDS, raw['model']),
    from: parseDay(raw['from']),
    to: parseDay(raw['to']),
    starred: raw['starred'] === true || undefined,
    q: q || undefined,
    item,
    show: item && raw['show'] === 'lineage' ? 'lineage' : undefined,
    compare: item ? undefined : parsePattern(ID_PAIR, raw['compare']),
  });
}

/** A search without what is not set. */
export const compactLibrarySearch = (search: {
  [K in keyof LibrarySearch]: LibrarySearch[K] | undefined;
}): LibrarySearch => Object.fromEntries(Object.entries(search).filter(([, value]) => value !== undefined));
