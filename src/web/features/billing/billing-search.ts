import { SPENDING_GROUPS, type SpendingGroup } from './spending-groups.ts';
import { type LedgerSearch, parseLedgerSearch, present } from './ledger/ledger-search.ts';

export const BILLING_PARTS = {
  overview: 'Overview',
  ledger: 'Ledger',
  statement: 'Statements',
  what_if: 'What if',
} as const;
export type BillingPart = keyof typeof BILLING_PARTS;

/** Billing as it stands in the address. */
export interface BillingSearch extends LedgerSearch {
  part?: BillingPart | undefined;
  /** What the chart is stacked by. */
  by?: SpendingGroup | undefined;
  /** Of the statement, `YYYY-MM`. */
  month?: string | undefined;
}

/** What a part of the page gets. */
export interface PartProps {
  search: BillingSearch;
  onChange: (change: Partial<BillingSearch>) => void;
  /** Takes every filter away. */
  onClear: () => void;
}

const isPart = (value: unknown): value is BillingPart =>
  typeof value === 'string' && Object.hasOwn(BILLING_PARTS, value);
const MONTH = /^\d{4}-(0[1-9]|1[0-2])$/;

/** Reads the address's search part; what is not understood is left out rather than refused. */
export function parseBillingSearch(raw: Record<string, unknown>): BillingSearch {
  const { part, by, month } = raw;
  return present({
    ...parseLedgerSearch(raw),
    part: isPart(part) ? part : undefined,
    by: SPENDING_GROUPS.find((group) => group === by),
    month: typeof month === 'string' && MONTH.test(month) ? month : undefined,
  });
}

/** What is looked at: as said, else the ledger where the address filters entries. */
export function partOf({ part, type, task, model, key, generation, run, entry }: BillingSearch): BillingPart {
  return part ?? ((type ?? task ?? model ?? key ?? generation ?? run ?? entry) ? 'ledger' : 'overview');
}
