import type { PivotDimension, ReportDimension, SpendingGroup } from '#contract/money/ledger.ts';
import { omitUndefined, parseKey, parsePattern } from '#web/ui/search-params.ts';
import { type CloseSearch, parseCloseSearch } from './close/close-search.ts';
import { type LedgerSearch, parseLedgerSearch } from './ledger/ledger-search.ts';
import { PERIOD_PRESETS } from './period.ts';

export const BILLING_TABS = {
  overview: 'Overview',
  ledger: 'Ledger',
  report: 'Report',
  statement: 'Statements',
  close: 'Close',
  audit: 'Audit',
  what_if: 'What if',
} as const;
export type BillingTab = keyof typeof BILLING_TABS;

export const REPORT_MEASURES = { spending: 'Spending', margin: 'Margin' } as const;
export type ReportMeasure = keyof typeof REPORT_MEASURES;

export interface BillingSearch extends LedgerSearch, CloseSearch {
  part?: BillingTab | undefined;
  /** What the chart is stacked by, and by what an exported statement is broken down. */
  by?: SpendingGroup | undefined;
  /** Of the report, like `rows` and `columns`. */
  measure?: ReportMeasure | undefined;
  rows?: ReportDimension | undefined;
  columns?: PivotDimension | undefined;
  /** Of the statement and of Close, `YYYY-MM`. */
  month?: string | undefined;
}

export interface BillingTabProps {
  search: BillingSearch;
  onChange: (change: Partial<BillingSearch>) => void;
  onClear: () => void;
}

const MONTH_PATTERN = /^\d{4}-(0[1-9]|1[0-2])$/;

/** For words only: the service rejects unknown dimensions. */
const DIMENSION_PATTERN = /^(tag:)?[a-z][a-z0-9_]*$/;

/** Addresses of reports that had tabs of their own. */
const FORMER_PARTS: Readonly<Record<string, (raw: Record<string, unknown>) => Record<string, unknown>>> = {
  pivot: ({ rows = 'person', columns = 'task', ...rest }) => ({ ...rest, rows, columns }),
  margin: ({ group = 'model', from, to, ...rest }) => ({
    ...rest,
    ...(from === undefined && to === undefined ? PERIOD_PRESETS.this_month.of(new Date()) : { from, to }),
    measure: 'margin',
    rows: group,
  }),
};

const readFormerPart = (raw: Record<string, unknown>): Record<string, unknown> => {
  const former = typeof raw['part'] === 'string' && Object.hasOwn(FORMER_PARTS, raw['part']) ? raw['part'] : null;
  return former === null ? raw : { ...FORMER_PARTS[former]?.(raw), part: 'report' };
};

export function parseBillingSearch(address: Record<string, unknown>): BillingSearch {
  const raw = readFormerPart(address);
  return omitUndefined({
    ...parseLedgerSearch(raw),
    ...parseCloseSearch(raw),
    part: parseKey(BILLING_TABS, raw['part']),
    by: parsePattern(DIMENSION_PATTERN, raw['by']) as SpendingGroup | undefined,
    measure: parseKey(REPORT_MEASURES, raw['measure']),
    rows: parsePattern(DIMENSION_PATTERN, raw['rows']) as ReportDimension | undefined,
    columns: parsePattern(DIMENSION_PATTERN, raw['columns']) as PivotDimension | undefined,
    month: parsePattern(MONTH_PATTERN, raw['month']),
  });
}

/** Returns the tab in the URL; without one, the ledger if the URL filters entries, else the overview. */
export function activeBillingTab({
  part,
  type,
  task,
  model,
  key,
  person,
  tags,
  generation,
  run,
  entry,
  q,
  ledger,
  open,
}: BillingSearch): BillingTab {
  return (
    part ??
    ((type ?? task ?? model ?? key ?? person ?? tags ?? generation ?? run ?? entry ?? q ?? ledger ?? open)
      ? 'ledger'
      : 'overview')
  );
}
