import type { LedgerType } from '#contract/money/ledger.ts';
import { formatUsd } from '#contract/money/money.ts';
import type { LedgerSums } from '#contract/resources/ledger.ts';
import { parseQueryTime } from '#server/platform/db/created-within.ts';
import type { Db } from '#server/platform/db/db.ts';
import type { LedgerFilter } from './ledger-filter.ts';
import { sumBy } from '#server/accounts/billing/reports/report.ts';
import { totalSums } from '#server/accounts/billing/reports/report-table.ts';

/** Sums the entries that match a filter. */
export async function sumLedger(
  db: Pick<Db, 'execute' | 'select'>,
  organizationId: string,
  { type, created_after, created_before, ...filter }: LedgerFilter,
): Promise<LedgerSums> {
  const period = {
    from: created_after === undefined ? undefined : parseQueryTime(created_after),
    to: created_before === undefined ? undefined : parseQueryTime(created_before),
  };
  const scope = { organization_id: organizationId, ...filter, ...(type === undefined ? {} : { types: [type] }) };
  const sums = await sumBy(db, scope, period, ['type'], ['amount', 'entries', 'spent']);
  const total = totalSums(sums);
  return {
    object: 'ledger_sums',
    count: Number(total?.entries ?? 0n),
    amount_usd: formatUsd(total?.amount ?? 0n),
    spent_usd: formatUsd(total?.spent ?? 0n),
    // The column holds nothing else.
    by_type: sums.map(({ values: [value], sums: { amount, entries } }) => ({
      type: value as LedgerType,
      amount_usd: formatUsd(amount),
      count: Number(entries),
    })),
  };
}
