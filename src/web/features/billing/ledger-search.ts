import type { LedgerType } from '#contract/resources/billing.ts';
import { isLedgerType } from './entry-words.ts';
import { startOfDay } from '#web/ui/days.ts';

/** The ledger's filters as they stand in the address. Dates are local days, `YYYY-MM-DD`, both inclusive. */
export interface LedgerSearch {
  type?: LedgerType;
  from?: string;
  to?: string;
  generation?: string;
}

/** What `list_ledger` takes for it. */
export interface LedgerFilters {
  type?: LedgerType;
  created_after?: string;
  created_before?: string;
  generation_id?: string;
}

const ID = /^[A-Za-z0-9_-]{1,64}$/;
const day = (value: unknown) => (typeof value === 'string' && startOfDay(value) ? value : undefined);
const present = <T extends object>(given: T): T =>
  Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as T;

/** Reads the address's search part; what is not understood is left out rather than refused. */
export function parseLedgerSearch(raw: Record<string, unknown>): LedgerSearch {
  const { type, generation } = raw;
  return present({
    type: isLedgerType(type) ? type : undefined,
    from: day(raw['from']),
    to: day(raw['to']),
    generation: typeof generation === 'string' && ID.test(generation) ? generation : undefined,
  });
}

/** The query of the ledger for an address. */
export function toLedgerFilters({ type, from, to, generation }: LedgerSearch): LedgerFilters {
  return present({
    type,
    created_after: startOfDay(from)?.toISOString(),
    created_before: startOfDay(to, 1)?.toISOString(),
    generation_id: generation,
  });
}

export const changeLedgerSearch = (search: LedgerSearch, change: Partial<LedgerSearch>): LedgerSearch =>
  present({ ...search, ...change });
