import { type AnyModelId, type TaskId, TASK_IDS } from '#contract/ids.ts';
import type { MediaItem } from '#contract/resources/media.ts';
import { CLIENT_VERDICTS, type ClientVerdict, MEDIA_ORIGINS } from '#contract/statuses.ts';
import { MEDIA_KINDS } from '#contract/task.ts';
import { parseModel } from '#web/api/known-models.ts';
import { parseTagFilter, type TagFilter } from '#web/forms/tags/tag-filter.ts';
import { omitUndefined, parseDay, parseId, parseOption, parsePattern, parseText } from '#web/ui/search-params.ts';

/** Search parameters of the library. Dates are local days, `YYYY-MM-DD`, both inclusive. */
export interface LibrarySearch {
  kind?: MediaItem['type'];
  origin?: MediaItem['origin'];
  task?: TaskId;
  model?: AnyModelId;
  from?: string;
  to?: string;
  starred?: true;
  tags?: TagFilter;
  label?: string;
  /** What clients answered on share pages. */
  answer?: ClientVerdict | 'any';
  /** Id of a share page: only files that clients answered about there. */
  link?: string;
  /** Id of the open collection. */
  collection?: string;
  q?: string;
  /** See `usePersonFilter`. */
  person?: string;
  item?: string;
  show?: 'lineage';
  /** IDs of the two compared files, separated by a comma. */
  compare?: string;
}

export type LibraryFilters = Omit<LibrarySearch, 'item' | 'show' | 'compare'>;

const ID = '(?:ast|upl)_[0-9a-hjkmnp-tv-z]{26}';
const SINGLE_ID = new RegExp(`^${ID}$`);
const ID_PAIR = new RegExp(`^${ID},${ID}$`);

export function parseLibrarySearch(raw: Record<string, unknown>): LibrarySearch {
  const item = parsePattern(SINGLE_ID, raw['item']);
  return omitUndefined({
    kind: parseOption(MEDIA_KINDS, raw['kind']),
    origin: parseOption(MEDIA_ORIGINS, raw['origin']),
    task: parseOption(TASK_IDS, raw['task']),
    model: parseModel(raw['model']),
    from: parseDay(raw['from']),
    to: parseDay(raw['to']),
    starred: raw['starred'] === true || undefined,
    tags: parseTagFilter(raw['tags']),
    label: parseText(raw['label']),
    answer: parseOption(['any', ...CLIENT_VERDICTS], raw['answer']),
    link: parseId(raw['link']),
    collection: parseId(raw['collection']),
    q: parseText(raw['q']),
    person: parseId(raw['person']),
    item,
    show: item ? parseOption(['lineage'], raw['show']) : undefined,
    compare: item ? undefined : parsePattern(ID_PAIR, raw['compare']),
  });
}
