import type { SpendingGroup } from '#contract/ledger.ts';
import { formatUsd } from '#contract/money.ts';
import type { Statement } from '#contract/resources/audit.ts';
import type { Db } from '#server/platform/db/db.ts';
import { readSpendingBuckets } from './spending-buckets.ts';
import { labelSpending, readKeyOwners, type SpendingLabel } from './spending-labels.ts';
import type { SpendingScope } from './spending-scope.ts';

const MAX_ROWS = 200;
const OTHER: SpendingLabel = { id: '(other)', name: 'Other' };

interface Row {
  label: SpendingLabel;
  spent: bigint;
  count: number;
}

/**
 * Reads what a month's spending consists of, largest first. What is beyond 200 rows is one row “Other”, so that the rows
 * add up to what was spent.
 */
export async function readBreakdown(
  db: Pick<Db, 'select'>,
  scope: SpendingScope,
  { from, to, by }: { from: Date; to: Date; by: SpendingGroup },
): Promise<Statement['breakdowns'][number]> {
  const owners = await readKeyOwners(db, scope.organization_id);
  const rows = new Map<string | null, Row>();
  for (const { values, spent_micro_usd, count } of await readSpendingBuckets({ db }, scope, from, to, [by])) {
    const label = labelSpending(values[0] ?? null, by, owners);
    rows.set(label.id, plus(rows.get(label.id), { label, spent: spent_micro_usd, count }));
  }
  const largest = [...rows.values()].toSorted((a, b) => (a.spent === b.spent ? 0 : a.spent > b.spent ? -1 : 1));
  const kept = largest.length > MAX_ROWS ? largest.slice(0, MAX_ROWS - 1) : largest;
  const rest = largest.slice(kept.length).reduce<Row | undefined>((sum, row) => plus(sum, row), undefined);
  return {
    by,
    rows: [...kept, ...(rest ? [{ ...rest, label: OTHER }] : [])].map(({ label, spent, count }) => ({
      ...label,
      amount_usd: formatUsd(spent),
      count,
    })),
  };
}

const plus = (sum: Row | undefined, row: Row): Row =>
  sum ? { ...sum, spent: sum.spent + row.spent, count: sum.count + row.count } : row;
