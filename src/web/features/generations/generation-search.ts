import { type AnyModelId, type TaskId, TASK_IDS } from '#contract/ids.ts';
import type { Sorting } from '#web/collections/list-columns.ts';
import { GENERATION_STATUSES, type GenerationStatus } from '#contract/statuses.ts';
import { parseModel } from '#web/api/known-models.ts';
import { parseTagFilter, type TagFilter } from '#web/forms/tags/tag-filter.ts';
import { omitUndefined, parseDay, parseId, parseOption, parseText } from '#web/ui/search-params.ts';

/** Search parameters of the list. Dates are local days, `YYYY-MM-DD`, both inclusive. */
export interface GenerationSearch {
  status?: GenerationStatus;
  task?: TaskId;
  model?: AnyModelId;
  from?: string;
  to?: string;
  q?: string;
  tags?: TagFilter;
  /** A tag of an output. */
  label?: string;
  /** See `usePersonFilter`. */
  person?: string;
  view?: 'gallery';
  sort?: GenerationSort;
  /** Only with `sort`; descending by default. */
  order?: 'asc';
}

const SORTS = ['created_at', 'duration', 'cost'] as const;
type GenerationSort = (typeof SORTS)[number];

/** Newest first is the order without any. */
export const toSorting = ({ sort, order }: GenerationSearch): Sorting => ({
  by: sort ?? 'created_at',
  order: order ?? 'desc',
});

export const fromSorting = ({ by, order }: Sorting): Pick<GenerationSearch, 'sort' | 'order'> => {
  const isDefault = by === 'created_at' && order === 'desc';
  return omitUndefined({
    sort: isDefault ? undefined : parseOption(SORTS, by),
    order: order === 'asc' ? order : undefined,
  });
};

/** Parses the search parameters of the URL and omits invalid ones. */
export function parseGenerationSearch(raw: Record<string, unknown>): GenerationSearch {
  return omitUndefined({
    status: parseOption(GENERATION_STATUSES, raw['status']),
    task: parseOption(TASK_IDS, raw['task']),
    model: parseModel(raw['model']),
    from: parseDay(raw['from']),
    to: parseDay(raw['to']),
    q: parseText(raw['q']),
    tags: parseTagFilter(raw['tags']),
    label: parseText(raw['label']),
    person: parseId(raw['person']),
    view: parseOption(['gallery'], raw['view']),
    ...fromSorting({
      by: parseOption(SORTS, raw['sort']) ?? 'created_at',
      order: parseOption(['asc'], raw['order']) ?? 'desc',
    }),
  });
}
