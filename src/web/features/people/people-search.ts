import { choiceRow, parseSearch, type SearchOf } from '#web/collections/filter-rows.ts';
import { parseOption } from '#web/ui/search-params.ts';

const STATUS_OPTIONS = [{ value: 'removed', label: 'Removed' }];

export const PEOPLE_FILTERS = {
  show: choiceRow({
    query: 'show',
    label: 'Status',
    all: 'Active',
    parse: (raw) => parseOption(['removed'] as const, raw),
    useOptions: () => STATUS_OPTIONS,
    place: 'segments',
    isView: true,
  }),
};

export type PeopleSearch = SearchOf<typeof PEOPLE_FILTERS>;

export const parsePeopleSearch = (raw: Record<string, unknown>): PeopleSearch => parseSearch(PEOPLE_FILTERS, raw);
