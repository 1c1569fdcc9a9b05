import type { FindingKind } from '#contract/resources/closing-finding.ts';
import { choiceRow, linkRow, parseSearch, type SearchOf, textRow } from '#web/collections/filter-rows.ts';
import { omitUndefined, parseId, parseKey, parsePattern } from '#web/ui/search-params.ts';

/** In the order in which they are shown. The list of the contract would bring its schemas into the first script. */
export const KIND_LABELS = {
  price_differs: 'Price differs',
  billed_not_delivered: 'Billed, not delivered',
  theirs_only: 'Theirs only',
  ours_only: 'Ours only',
  billed_later: 'In another month',
  rounded: 'Rounded',
  equal: 'Equal',
} as const satisfies Record<FindingKind, string>;

const SETTLED_OPTIONS = [
  { value: 'open', label: 'Open' },
  { value: 'settled', label: 'Settled' },
] as const;

export const FINDING_FILTERS = {
  q: textRow('Search findings'),
  finding: linkRow({ query: 'kind', parse: (raw) => parseKey(KIND_LABELS, raw) }),
  settled: choiceRow({
    query: 'settled',
    label: 'State',
    all: 'All',
    parse: (raw) => SETTLED_OPTIONS.find(({ value }) => value === raw)?.value,
    useOptions: () => SETTLED_OPTIONS,
    place: 'segments',
  }),
};

const PROVIDER_PATTERN = /^(prv_[0-9a-z]{1,40}|file:[\w.-]{1,60})$/;
const ROW_PATTERN = /^[1-9]\d{0,6}$/;

/** Of Close in the address. `open` is the finding in the details panel. */
export interface CloseSearch extends SearchOf<typeof FINDING_FILTERS> {
  /** Whose findings are shown. */
  provider?: string | undefined;
  /** Whose lines are shown, and from which row of the file on. */
  bill?: string | undefined;
  row?: number | undefined;
}

export const parseCloseSearch = (raw: Record<string, unknown>): CloseSearch =>
  omitUndefined({
    ...parseSearch(FINDING_FILTERS, raw),
    provider: parsePattern(PROVIDER_PATTERN, raw['provider']),
    bill: parseId(raw['bill']),
    row: ROW_PATTERN.test(String(raw['row'])) ? Number(raw['row']) : undefined,
  });
