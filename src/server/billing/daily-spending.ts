import { eq } from 'drizzle-orm';
import { MODEL_NAMES, TASKS } from '#contract/catalog.ts';
import type { SpendingGroup } from '#contract/ledger.ts';
import type { Spending } from '#contract/resources/billing.ts';
import type { Deps } from '#server/deps.ts';
import { apiKeys } from '#server/db/schema.ts';
import { type SpendingBucket, readSpendingBuckets } from './spending-buckets.ts';
import { type OptionalPeriod, SNAPSHOT_TRANSACTION, groupSpending, resolvePeriod } from './summary.ts';

type BucketLabel = (
  cell: SpendingBucket,
  key_names: ReadonlyMap<string, string>,
) => { id: string | null; name: string };

const BUCKET_LABELS = {
  task: ({ task }) => ({ id: task, name: TASKS[task].name }),
  model: ({ model }) => (model === null ? { id: null, name: 'No model' } : { id: model, name: MODEL_NAMES[model] }),
  key: ({ key_id }, key_names) => ({ id: key_id, name: key_names.get(key_id) ?? '' }),
} as const satisfies Record<SpendingGroup, BucketLabel>;

/** Reads spending in `[from, to)` per day and per task, model or key; the sums match the summary. */
export async function readDailySpending(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  organization_id: string,
  by: SpendingGroup,
  range: OptionalPeriod,
): Promise<Spending> {
  const { from, to } = resolvePeriod(range, clock.now());
  const { cells, keys } = await db.transaction(
    async (tx) => ({
      cells: await readSpendingBuckets({ db: tx }, organization_id, from, to),
      keys: await tx.select().from(apiKeys).where(eq(apiKeys.organization_id, organization_id)),
    }),
    SNAPSHOT_TRANSACTION,
  );
  const key_names = new Map(keys.map(({ id, name }) => [id, name]));
  const label: BucketLabel = BUCKET_LABELS[by];
  const data = groupSpending(cells, (cell) => ({ date: cell.date, ...label(cell, key_names) }));
  const sortKey = ({ date, id }: (typeof data)[number]) => `${date} ${id ?? ''}`;
  return {
    object: 'spending',
    by,
    from: from.toISOString(),
    to: to.toISOString(),
    data: data.sort((a, b) => (sortKey(a) < sortKey(b) ? -1 : 1)),
  };
}
