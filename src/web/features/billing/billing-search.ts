import { type LedgerSearch, parseLedgerSearch, omitUndefined } from './ledger/ledger-search.ts';

const SPENDING_GROUP_OPTIONS = ['task', 'model', 'key'] as const;
export type SpendingGroupOption = (typeof SPENDING_GROUP_OPTIONS)[number];

export const BILLING_TABS = {
  overview: 'Overview',
  ledger: 'Ledger',
  statement: 'Statements',
  what_if: 'What if',
} as const;
export type BillingTab = keyof typeof BILLING_TABS;

export interface BillingSearch extends LedgerSearch {
  part?: BillingTab | undefined;
  by?: SpendingGroupOption | undefined;
  /** Month of the statement, `YYYY-MM`. */
  month?: string | undefined;
}

export interface BillingTabProps {
  search: BillingSearch;
  onChange: (change: Partial<BillingSearch>) => void;
  onClear: () => void;
}

const isBillingTab = (value: unknown): value is BillingTab =>
  typeof value === 'string' && Object.hasOwn(BILLING_TABS, value);
const MONTH_PATTERN = /^\d{4}-(0[1-9]|1[0-2])$/;

export function parseBillingSearch(raw: Record<string, unknown>): BillingSearch {
  const { part, by, month } = raw;
  return omitUndefined({
    ...parseLedgerSearch(raw),
    part: isBillingTab(part) ? part : undefined,
    by: SPENDING_GROUP_OPTIONS.find((group) => group === by),
    month: typeof month === 'string' && MONTH_PATTERN.test(month) ? month : undefined,
  });
}

/** Returns the tab in the URL; without one, the ledger if the URL filters entries, else the overview. */
export function activeBillingTab({ part, type, task, model, key, generation, run, entry }: BillingSearch): BillingTab {
  return part ?? ((type ?? task ?? model ?? key ?? generation ?? run ?? entry) ? 'ledger' : 'overview');
}
