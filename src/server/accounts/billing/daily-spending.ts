import type { SpendingGroup } from '#contract/ledger.ts';
import type { Spending } from '#contract/resources/billing.ts';
import type { Deps } from '#server/platform/deps.ts';
import { readSpendingBuckets } from './spending-buckets.ts';
import { labelSpending, readKeyOwners } from './spending-labels.ts';
import type { SpendingScope } from './spending-scope.ts';
import { type OptionalPeriod, SNAPSHOT_TRANSACTION, groupSpending, resolvePeriod } from './summary.ts';

/** Reads spending in `[from, to)` per day and per task, model, key, person or tag; the sums match the summary. */
export async function readDailySpending(
  { db, clock }: Deps,
  scope: SpendingScope,
  by: SpendingGroup,
  range: OptionalPeriod,
): Promise<Spending> {
  const { from, to } = resolvePeriod(range, clock.now());
  const { cells, owners } = await db.transaction(
    async (tx) => ({
      cells: await readSpendingBuckets({ db: tx }, scope, from, to, ['day', by]),
      owners: await readKeyOwners(tx, scope.organization_id),
    }),
    SNAPSHOT_TRANSACTION,
  );
  const data = groupSpending(cells, ({ values: [date = '', value = null] }) => ({
    date: date ?? '',
    ...labelSpending(value, by, owners),
  }));
  const keys = new Map(data.map((row) => [row, `${row.date} ${row.id ?? ''}`]));
  return {
    object: 'spending',
    by,
    from: from.toISOString(),
    to: to.toISOString(),
    data: data.sort((a, b) => ((keys.get(a) ?? '') < (keys.get(b) ?? '') ? -1 : 1)),
  };
}
