import { MARGIN_GROUPS, type MarginGroup, SPENDING_GROUPS, type SpendingGroup } from '#contract/ledger.ts';
import { omitUndefined, parseKey, parseOption, parsePattern } from '#web/ui/search-params.ts';
import { type LedgerSearch, parseLedgerSearch } from './ledger/ledger-search.ts';

export const BILLING_TABS = {
  overview: 'Overview',
  ledger: 'Ledger',
  statement: 'Statements',
  margin: 'Margin',
  what_if: 'What if',
} as const;
export type BillingTab = keyof typeof BILLING_TABS;

export interface BillingSearch extends LedgerSearch {
  part?: BillingTab | undefined;
  /** What the chart is stacked by. */
  by?: SpendingGroup | undefined;
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

export function parseBillingSearch(raw: Record<string, unknown>): BillingSearch {
  const { part, by, group, month } = raw;
  return omitUndefined({
    ...parseLedgerSearch(raw),
    part: parseKey(BILLING_TABS, part),
    by: parseOption(SPENDING_GROUPS, by),
    group: parseOption(MARGIN_GROUPS, group),
    month: parsePattern(MONTH_PATTERN, month),
  });
}

/** Returns the tab in the URL; without one, the ledger if the URL filters entries, else the overview. */
export function activeBillingTab({ part, type, task, model, key, generation, run, entry }: BillingSearch): BillingTab {
  return part ?? ((type ?? task ?? model ?? key ?? generation ?? run ?? entry) ? 'ledger' : 'overview');
}
