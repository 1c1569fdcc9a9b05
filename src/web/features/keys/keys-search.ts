import { choiceRow, parseSearch, type SearchOf } from '#web/collections/filter-rows.ts';
import { parseOption } from '#web/ui/search-params.ts';

const STATUS_OPTIONS = [{ value: 'revoked', label: 'Revoked' }];

export const KEY_FILTERS = {
  show: choiceRow({
    query: 'show',
    label: 'Status',
    all: 'Active',
    parse: (raw) => parseOption(['revoked'] as const, raw),
    useOptions: () => STATUS_OPTIONS,
    place: 'segments',
    isView: true,
  }),
};

export type KeysSearch = SearchOf<typeof KEY_FILTERS>;

export const parseKeysSearch = (raw: Record<string, unknown>): KeysSearch => parseSearch(KEY_FILTERS, raw);
