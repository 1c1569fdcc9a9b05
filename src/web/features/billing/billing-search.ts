import { SPENDING_GROUPS, type SpendingGroup } from '#contract/ledger.ts';
import { omitUndefined, parseKey, parseOption, parsePattern } from '#web/ui/search-params.ts';
import { type LedgerSearch, parseLedgerSearch } from './ledger/ledger-search.ts';

export const BILLING_TABS = {
  overview: 'Overview',
  ledger: 'Ledger',
  statement: 'Statements',
  what_if: 'What if',
} as const;
export type BillingTab = keyof typeof BILLING_TABS;

/** Billing as it stands in the address. */
export interface BillingSearch extends LedgerSearch {
  part?: BillingTab | undefined;
  /** What the chart is stacked by. */
  by?: SpendingGroup | undefined;
  /** Of the statement, `YYYY-MM`. */
  month?: string | undefined;
}

/** What a part of the page gets. */
export interface BillingTabProps {
  search: BillingSearch;
  onChange: (change: Partial<BillingSearch>) => void;
  /** Takes every filter away. */
  onClear: () => void;
}

const MONTH_PATTERN = /^\d{4}-(0[1-9]|1[0-2])$/;

/** Reads the address's search part; what is not understood is left out rather than refused. */
export function parseBillingSearch(raw: Record<string, unknown>): BillingSearch {
  const { part, by, month } = raw;
  return omitUndefined({
    ...parseLedgerSearch(raw),
    part: parseKey(BILLING_TABS, part),
    by: parseOption(SPENDING_GROUPS, by),
    month: parsePattern(MONTH_PATTERN, month),
  });
}

/** What is looked at: as said, else the ledger where the address filters entries. */
export function activeBillingTab({ part, type, task, model, key, generation, run, entry }: BillingSearch): BillingTab {
  return part ?? ((type ?? task ?? model ?? key ?? generation ?? run ?? entry) ? 'ledger' : 'overview');
}
