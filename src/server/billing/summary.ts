import { and, eq, gte, inArray, lt, sql } from 'drizzle-orm';
import type { ModelId, TaskId } from '#contract/ids.ts';
import { formatUsd } from '#contract/money.ts';
import type { BillingSummary } from '#contract/resources/billing.ts';
import type { Deps } from '../deps.ts';
import { accounts, apiKeys, ledgerEntries } from '../db/schema.ts';

const DAY_MS = 24 * 3600 * 1000;

/**
 * Funds now, and spending in the groups of `[from, to)`, the last 30 days by default. Spending is SETTLE less REFUND,
 * `count` the charges; days and months are UTC. Decision: Ledger (Summary)
 */
export async function billingSummary(
  deps: Pick<Deps, 'db' | 'clock'>,
  organization_id: string,
  range: { from?: Date | undefined; to?: Date | undefined },
): Promise<BillingSummary> {
  const now = deps.clock.now();
  const from = range.from ?? new Date((range.to ?? now).getTime() - 30 * DAY_MS);
  const month = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1));
  const [account, this_month, cells, keys] = await Promise.all([
    deps.db.select().from(accounts).where(eq(accounts.organization_id, organization_id)),
    spentSince(deps, organization_id, month),
    spentByCell(deps, organization_id, from, range.to),
    deps.db
      .select({ id: apiKeys.id, name: apiKeys.name })
      .from(apiKeys)
      .where(eq(apiKeys.organization_id, organization_id)),
  ]);
  const key_names = new Map(keys.map(({ id, name }) => [id, name]));
  const funds = account[0] ?? { available_micro_usd: 0n, reserved_micro_usd: 0n, spent_micro_usd: 0n };
  return {
    object: 'billing_summary',
    currency: 'usd',
    balance_usd: formatUsd(funds.available_micro_usd + funds.reserved_micro_usd),
    reserved_usd: formatUsd(funds.reserved_micro_usd),
    available_usd: formatUsd(funds.available_micro_usd),
    spent_this_month_usd: formatUsd(this_month),
    spent_total_usd: formatUsd(funds.spent_micro_usd),
    by_day: grouped(cells, ({ date }) => ({ date })).sort((a, b) => (a.date < b.date ? -1 : 1)),
    by_task: byAmount(grouped(cells, ({ task }) => task && { task })),
    by_model: byAmount(grouped(cells, ({ model }) => ({ model }))),
    by_key: byAmount(grouped(cells, ({ key_id }) => key_id && { key_id, name: key_names.get(key_id) ?? '' })),
  };
}

interface Cell {
  date: string;
  task: TaskId | null;
  model: ModelId | null;
  key_id: string | null;
  /** Sums leave the database as text: they may be larger than a double holds exactly. */
  spent_micro_usd: string;
  count: number;
}

const isSpending = inArray(ledgerEntries.type, ['SETTLE', 'REFUND']);
const spent = sql<string>`coalesce(-sum(${ledgerEntries.amount_micro_usd}), 0)::text`;

async function spentSince({ db }: Pick<Deps, 'db'>, organization_id: string, since: Date): Promise<bigint> {
  const [row] = await db
    .select({ spent })
    .from(ledgerEntries)
    .where(and(eq(ledgerEntries.organization_id, organization_id), isSpending, gte(ledgerEntries.created_at, since)));
  return BigInt(row?.spent ?? 0);
}

function spentByCell(
  { db }: Pick<Deps, 'db'>,
  organization_id: string,
  from: Date,
  to: Date | undefined,
): Promise<Cell[]> {
  const date = sql<string>`to_char(${ledgerEntries.created_at} at time zone 'UTC', 'YYYY-MM-DD')`;
  const { task, model, created_by } = ledgerEntries;
  return db
    .select({
      date,
      task,
      model,
      key_id: created_by,
      spent_micro_usd: spent,
      count: sql<number>`(count(*) filter (where ${ledgerEntries.type} = 'SETTLE'))::int`,
    })
    .from(ledgerEntries)
    .where(
      and(
        eq(ledgerEntries.organization_id, organization_id),
        isSpending,
        gte(ledgerEntries.created_at, from),
        to && lt(ledgerEntries.created_at, to),
      ),
    )
    .groupBy(date, task, model, created_by);
}

/** Adds cells up by what `label` says of them; those it says nothing of are left out. */
function grouped<L extends Record<string, string | null>>(
  cells: readonly Cell[],
  label: (cell: Cell) => L | '' | null,
) {
  const sums = new Map<string, { label: L; spent_micro_usd: bigint; count: number }>();
  for (const cell of cells) {
    const name = label(cell);
    if (!name) continue;
    const key = JSON.stringify(name);
    const sum = sums.get(key) ?? { label: name, spent_micro_usd: 0n, count: 0 };
    sum.spent_micro_usd += BigInt(cell.spent_micro_usd);
    sum.count += cell.count;
    sums.set(key, sum);
  }
  return [...sums.values()].map(({ label, spent_micro_usd, count }) => ({
    ...label,
    amount_usd: formatUsd(spent_micro_usd),
    count,
  }));
}

/** Largest first. */
function byAmount<G extends { amount_usd: string }>(groups: G[]): G[] {
  return groups.sort((a, b) => Number(b.amount_usd) - Number(a.amount_usd));
}
