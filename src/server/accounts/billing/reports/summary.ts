import { eq } from 'drizzle-orm';
import { formatUsd } from '#contract/money/money.ts';
import type { AnyModelId, TaskId } from '#contract/ids.ts';
import type { SpendingGroup } from '#contract/money/ledger.ts';
import type { BillingSummary, Spending } from '#contract/resources/billing.ts';
import type { Deps } from '#server/platform/deps.ts';
import { accounts } from '#server/platform/db/schema/billing-schema.ts';
import type { Db, Tx } from '#server/platform/db/db.ts';
import { withLongStatements } from '#server/platform/db/postgres/long-statements.ts';
import { apiKeys } from '#server/platform/db/schema/organization-schema.ts';
import type { SpendingScope } from './spending-scope.ts';
import { labelsOf, readDimensionNames } from './dimensions.ts';
import { DAY_MS, type OptionalPeriod, sumAll, sumBy, type Sums } from './report.ts';
import { groupSums } from './report-table.ts';

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
      spentTotal: scope.key_ids === null ? null : await sumAll(tx, scope, {}, ['spent']),
      this_month: await sumAll(tx, scope, { from: month }, ['spent']),
      // All four dimensions together have a row for each combination, which are many.
      days: await sumBy(tx, scope, { from, to }, ['day'], SPENDING),
      tasks: await sumBy(tx, scope, { from, to }, ['task'], SPENDING),
      models: await sumBy(tx, scope, { from, to }, ['model'], SPENDING),
      ofKeys: await sumBy(tx, scope, { from, to }, ['key'], SPENDING),
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
    spent_this_month_usd: formatUsd(this_month.spent),
    spent_total_usd: formatUsd(spentTotal?.spent ?? funds.spent_micro_usd),
    by_day: days
      .map(({ values: [date], sums }) => ({ date: date ?? '', ...presentSpending(sums) }))
      .sort((a, b) => (a.date < b.date ? -1 : 1)),
    // The columns hold nothing else.
    by_task: sortByAmount(
      tasks.map(({ values: [task], sums }) => ({ task: task as TaskId, ...presentSpending(sums) })),
    ),
    by_model: sortByAmount(
      models.map(({ values: [model], sums }) => ({ model: model as AnyModelId | null, ...presentSpending(sums) })),
    ),
    by_key: sortByAmount(
      ofKeys.map(({ values: [key], sums }) => ({
        key_id: key ?? '',
        name: keyNames.get(key ?? '') ?? '',
        ...presentSpending(sums),
      })),
    ),
  };
}

const SPENDING = ['spent', 'charges'] as const;

const presentSpending = ({ spent, charges }: Sums<(typeof SPENDING)[number]>) => ({
  amount_usd: formatUsd(spent),
  count: Number(charges),
});

/** Reads spending in `[from, to)` per day and per task, model, key, person or tag; the sums match the summary. */
export async function readDailySpending(
  { db, clock }: Deps,
  scope: SpendingScope,
  by: SpendingGroup,
  range: OptionalPeriod,
): Promise<Spending> {
  const { from, to } = resolvePeriod(range, clock.now());
  const { cells, names } = await db.transaction(
    async (tx) => ({
      cells: await sumBy(tx, scope, { from, to }, ['day', by], SPENDING),
      names: await readDimensionNames(tx, scope.organization_id),
    }),
    SNAPSHOT_TRANSACTION,
  );
  const labelOf = labelsOf(by, names);
  const days = Map.groupBy(cells, ({ values: [date] }) => date ?? '');
  const data = [...days].flatMap(([date, ofDay]) =>
    groupSums(ofDay.map(({ values: [, value = null], sums }) => ({ label: labelOf(value), sums }))).map(
      ({ label, sums }) => ({ date, ...label, ...presentSpending(sums) }),
    ),
  );
  const keys = new Map(data.map((row) => [row, `${row.date} ${row.id ?? ''}`]));
  return {
    object: 'spending',
    by,
    from: from.toISOString(),
    to: to.toISOString(),
    data: data.sort((a, b) => ((keys.get(a) ?? '') < (keys.get(b) ?? '') ? -1 : 1)),
  };
}

function sortByAmount<G extends { amount_usd: string }>(groups: G[]): G[] {
  return groups.sort((a, b) => Number(b.amount_usd) - Number(a.amount_usd));
}
