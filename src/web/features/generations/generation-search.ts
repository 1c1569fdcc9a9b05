import { GENERATION_STATUSES } from '#contract/statuses.ts';
import {
  dayRows,
  fileTagRow,
  parseSearch,
  personRow,
  type SearchOf,
  sortRows,
  statusRow,
  tagsRow,
  taskModelRows,
  textRow,
} from '#web/collections/filter-rows.ts';
import { omitUndefined, parseOption } from '#web/ui/search-params.ts';

export const GENERATION_FILTERS = {
  q: textRow('Search generations'),
  status: statusRow(GENERATION_STATUSES),
  person: personRow(),
  ...taskModelRows(),
  tags: tagsRow(),
  label: fileTagRow(),
  ...sortRows(
    ['created_at', 'duration', 'cost'],
    [
      { value: 'created_at desc', label: 'Newest first' },
      { value: 'created_at asc', label: 'Oldest first' },
      { value: 'duration desc', label: 'Longest first' },
      { value: 'duration asc', label: 'Quickest first' },
      { value: 'cost desc', label: 'Most expensive first' },
      { value: 'cost asc', label: 'Cheapest first' },
    ],
  ),
  ...dayRows({ after: 'created_after', before: 'created_before' }),
};

export interface GenerationSearch extends SearchOf<typeof GENERATION_FILTERS> {
  view?: 'gallery' | undefined;
}

/** Parses the search parameters of the URL and omits invalid ones. */
export const parseGenerationSearch = (raw: Record<string, unknown>): GenerationSearch =>
  omitUndefined({ view: parseOption(['gallery'], raw['view']), ...parseSearch(GENERATION_FILTERS, raw) });
