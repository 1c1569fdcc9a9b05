import { eq } from 'drizzle-orm';
import { formatUsd } from '#contract/money.ts';
import type { AnyModelId, TaskId } from '#contract/ids.ts';
import type { SpendingGroup } from '#contract/ledger.ts';
import type { BillingSummary, Spending } from '#contract/resources/billing.ts';
import type { Deps } from '#server/platform/deps.ts';
import { accounts } from '#server/platform/db/billing-schema.ts';
import type { Db, Tx } from '#server/platform/db/db.ts';
import { withLongStatements } from '#server/platform/db/long-statements.ts';
import { apiKeys } from '#server/platform/db/organization-schema.ts';
import type { SpendingScope } from './spending-scope.ts';
import { labelSpending, readSpendingNames } from './spending-labels.ts';
import {
  DAY_MS,
  netSpending,
  type OptionalPeriod,
  sumEntries,
  sumSpending,
  type SpendingSum,
  SPENDING_TYPES,
} from './sum-entries.ts';

const DEFAULT_DAYS = 30;
/** A consistent snapshot of the ledger during concurrent writes. */
export const SNAPSHOT_TRANSACTION = { isolationLevel: 'repeatable read', accessMode: 'read only' } as const;

/** Runs statements that read a whole ledger on one snapshot. */
export const inLongSnapshot = <T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> =>
  withLongStatements(() => db.transaction(work, SNAPSHOT_TRANSACTION));

/** Defaults to the last 30 days, up to the end of tomorrow. */
export function resolvePeriod({ from, to }: OptionalPeriod, now: Date): { from: Date; to: Date } {
  return {
    from: from ?? new Date((to ?? now).getTime() - DEFAULT_DAYS * DAY_MS),
    // The time of an entry may be slightly ahead of this process's clock.
    to: to ?? new Date(Math.ceil(now.getTime() / DAY_MS + 1) * DAY_MS),
  };
}

/**
 * Reads current funds and the spending of `[from, to)`, by default the last 30 days. Spending is SETTLE less REFUND,
 * `count` the number of charges; days and months are UTC. Spending is that of the scope, funds are the organization’s. Decision: Billing summary
 */
export async function readBillingSummary(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  scope: SpendingScope,
  range: OptionalPeriod,
): Promise<BillingSummary> {
  const { organization_id } = scope;
  const now = clock.now();
  const { from, to } = resolvePeriod(range, now);
  const month = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1));
  const { account, spentTotal, this_month, days, tasks, models, ofKeys, keys } = await db.transaction(
    async (tx) => ({
      account: await tx.select().from(accounts).where(eq(accounts.organization_id, organization_id)),
      // Of the organization, the account has the sum.
      spentTotal: scope.key_ids === null ? null : await sumAllSpending(tx, scope),
      this_month: await sumAllSpending(tx, scope, month),
      // All four dimensions together have a row for each combination, which are many.
      days: await sumSpending(tx, scope, { from, to }, ['day']),
      tasks: await sumSpending(tx, scope, { from, to }, ['task']),
      models: await sumSpending(tx, scope, { from, to }, ['model']),
      ofKeys: await sumSpending(tx, scope, { from, to }, ['key']),
      keys: await tx
        .select({ id: apiKeys.id, name: apiKeys.name })
        .from(apiKeys)
        .where(eq(apiKeys.organization_id, organization_id)),
    }),
    SNAPSHOT_TRANSACTION,
  );
  const keyNames = new Map(keys.map(({ id, name }) => [id, name]));
  const funds = account[0] ?? { available_micro_usd: 0n, reserved_micro_usd: 0n, spent_micro_usd: 0n };
  return {
    object: 'billing_summary',
    currency: 'usd',
    balance_usd: formatUsd(funds.available_micro_usd + funds.reserved_micro_usd),
    reserved_usd: formatUsd(funds.reserved_micro_usd),
    available_usd: formatUsd(funds.available_micro_usd),
    spent_this_month_usd: formatUsd(this_month),
    spent_total_usd: formatUsd(spentTotal ?? funds.spent_micro_usd),
    by_day: groupSpending(days, ({ values: [date] }) => ({ date: date ?? '' })).sort((a, b) =>
      a.date < b.date ? -1 : 1,
    ),
    // The columns hold nothing else.
    by_task: sortByAmount(groupSpending(tasks, ({ values: [task] }) => ({ task: task as TaskId }))),
    by_model: sortByAmount(groupSpending(models, ({ values: [model] }) => ({ model: model as AnyModelId | null }))),
    by_key: sortByAmount(
      groupSpending(ofKeys, ({ values: [key] }) => ({ key_id: key ?? '', name: keyNames.get(key ?? '') ?? '' })),
    ),
  };
}

const sumAllSpending = async (tx: Tx, { organization_id, key_ids, tags }: SpendingScope, from?: Date) =>
  netSpending(await sumEntries(tx, organization_id, { key_ids, tags, from, types: SPENDING_TYPES }));

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
      cells: await sumSpending(tx, scope, { from, to }, ['day', by]),
      owners: await readSpendingNames(tx, scope.organization_id),
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

/** Adds up sums with the same label. */
function groupSpending<L extends Record<string, string | null>>(
  cells: readonly SpendingSum[],
  label: (cell: SpendingSum) => L,
) {
  const sums = new Map<string, { label: L; spent_micro_usd: bigint; count: number }>();
  for (const cell of cells) {
    const name = label(cell);
    const key = JSON.stringify(name);
    const sum = sums.get(key) ?? { label: name, spent_micro_usd: 0n, count: 0 };
    sum.spent_micro_usd += cell.spent_micro_usd;
    sum.count += cell.count;
    sums.set(key, sum);
  }
  return [...sums.values()].map(({ label, spent_micro_usd, count }) => ({
    ...label,
    amount_usd: formatUsd(spent_micro_usd),
    count,
  }));
}

function sortByAmount<G extends { amount_usd: string }>(groups: G[]): G[] {
  return groups.sort((a, b) => Number(b.amount_usd) - Number(a.amount_usd));
}
