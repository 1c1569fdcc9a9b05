import { MARGIN_GROUPS, type MarginGroup, type PivotDimension, type SpendingGroup } from '#contract/ledger.ts';
import { omitUndefined, parseKey, parseOption, parsePattern } from '#web/ui/search-params.ts';
import { type LedgerSearch, parseLedgerSearch } from './ledger/ledger-search.ts';

export const BILLING_TABS = {
  overview: 'Overview',
  ledger: 'Ledger',
  pivot: 'Breakdown',
  statement: 'Statements',
  margin: 'Margin',
  audit: 'Audit',
  what_if: 'What if',
} as const;
export type BillingTab = keyof typeof BILLING_TABS;

export interface BillingSearch extends LedgerSearch {
  part?: BillingTab | undefined;
  /** What the chart is stacked by, and what a statement is broken down by. */
  by?: SpendingGroup | undefined;
  /** Of the breakdown. */
  rows?: PivotDimension | undefined;
  columns?: PivotDimension | undefined;
  /** What the margin is grouped by. */
  group?: MarginGroup | undefined;
  /** Of the statement, `YYYY-MM`. */
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
const TAG_PATTERN = /^tag:[a-z][a-z0-9_]*$/;

export function parseBillingSearch(raw: Record<string, unknown>): BillingSearch {
  const { part, by, group, month } = raw;
  return omitUndefined({
    ...parseLedgerSearch(raw),
    part: parseKey(BILLING_TABS, part),
    by: parsePattern(DIMENSION_PATTERN, by) as SpendingGroup | undefined,
    rows: parsePattern(DIMENSION_PATTERN, raw['rows']) as PivotDimension | undefined,
    columns: parsePattern(DIMENSION_PATTERN, raw['columns']) as PivotDimension | undefined,
    group: parseOption(MARGIN_GROUPS, group) ?? (parsePattern(TAG_PATTERN, group) as MarginGroup | undefined),
    month: parsePattern(MONTH_PATTERN, month),
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
