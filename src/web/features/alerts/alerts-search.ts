import { ALERT_KINDS, ALERT_TITLES } from '#contract/alert-kinds.ts';
import { choiceRow, parseSearch, type SearchOf } from '#web/collections/filter-rows.ts';
import { parseOption } from '#web/ui/search-params.ts';

const SHOW_OPTIONS = [{ value: 'all', label: 'All' }];
const KIND_OPTIONS = ALERT_KINDS.map((value) => ({ value, label: ALERT_TITLES[value] }));

export const ALERT_FILTERS = {
  show: choiceRow({
    query: 'show',
    label: 'Status',
    all: 'Open',
    parse: (raw) => parseOption(['all'] as const, raw),
    useOptions: () => SHOW_OPTIONS,
    place: 'segments',
    isView: true,
  }),
  cause: choiceRow({
    query: 'kind',
    label: 'Kind',
    all: 'All kinds',
    parse: (raw) => parseOption(ALERT_KINDS, raw),
    useOptions: () => KIND_OPTIONS,
    place: 'bar',
  }),
};

export type AlertsSearch = SearchOf<typeof ALERT_FILTERS>;

export const parseAlertsSearch = (raw: Record<string, unknown>): AlertsSearch => parseSearch(ALERT_FILTERS, raw);
