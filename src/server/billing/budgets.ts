import { and, eq, gte, sql } from 'drizzle-orm';
import { formatUsd, parseUsd } from '#contract/money.ts';
import type { List } from '#contract/primitives.ts';
import type { Budget, BudgetUpdate } from '#contract/resources/budget.ts';
import { ORGANIZATION_BUDGET, accounts, budgets, spendingDays } from '#server/db/billing-schema.ts';
import type { Tx } from '#server/db/db.ts';
import { apiKeys, generations } from '#server/db/schema.ts';
import type { Deps } from '#server/deps.ts';
import { ApiError } from '#server/core/api-error.ts';

type BudgetDeps = Pick<Deps, 'db' | 'clock'>;
type BudgetRow = typeof budgets.$inferSelect;

const monthOf = (time: Date): string => time.toISOString().slice(0, 7);

/** Lists the budgets of an organization: its own first, then those of keys, newest key first. */
export async function listBudgets({ db, clock }: BudgetDeps, organization_id: string): Promise<List<Budget>> {
  const rows = await db
    .select({ budget: budgets, key_name: apiKeys.name })
    .from(budgets)
    .leftJoin(apiKeys, eq(apiKeys.id, budgets.id))
    .where(eq(budgets.organization_id, organization_id));
  const sortKey = ({ budget }: { budget: BudgetRow }) => (budget.id === ORGANIZATION_BUDGET ? '~' : budget.id);
  const data = rows
    .sort((a, b) => (sortKey(a) < sortKey(b) ? 1 : -1))
    .map(({ budget, key_name }) => presentBudget(budget, key_name, clock.now()));
  return { object: 'list', data, has_more: false, next_cursor: null };
}

/**
 * Sets the monthly limit of the organization or of a key. This month's spending and current reservations count from the
 * start.
 * @throws {ApiError} 404 `not_found` for a key of another organization
 */
export async function setBudget(
  { db, clock }: BudgetDeps,
  organization_id: string,
  { key_id, limit_usd, warn_at_percent, contact }: BudgetUpdate,
): Promise<Budget> {
  return db.transaction(async (tx) => {
    const key_name = key_id === null ? null : await findKeyName(tx, organization_id, key_id);
    const now = clock.now();
    const used = await readBudgetUsage(tx, organization_id, key_id, now);
    const set = {
      ...used,
      limit_micro_usd: parseUsd(limit_usd),
      warn_at_percent,
      contact: contact ?? null,
      updated_at: now,
    };
    const [row] = await tx
      .insert(budgets)
      .values({ organization_id, id: key_id ?? ORGANIZATION_BUDGET, ...set })
      .onConflictDoUpdate({ target: [budgets.organization_id, budgets.id], set })
      .returning();
    if (!row) throw new Error('The upsert of a budget returned no row.');
    return presentBudget(row, key_name, now);
  });
}

/** @throws {ApiError} 404 `not_found` */
export async function deleteBudget({ db }: BudgetDeps, organization_id: string, id: string): Promise<void> {
  const deleted = await db
    .delete(budgets)
    .where(and(eq(budgets.organization_id, organization_id), eq(budgets.id, id)))
    .returning({ id: budgets.id });
  if (deleted.length === 0) throw new ApiError('not_found', 'Budget not found.');
}

async function findKeyName(tx: Tx, organization_id: string, key_id: string): Promise<string> {
  const [key] = await tx
    .select({ name: apiKeys.name })
    .from(apiKeys)
    .where(and(eq(apiKeys.id, key_id), eq(apiKeys.organization_id, organization_id)));
  if (key) return key.name;
  throw new ApiError('not_found', 'Key not found.');
}

/**
 * Reads spending and reservations under the lock of the account, so that no entry changes them during the transaction.
 */
async function readBudgetUsage(tx: Tx, organization_id: string, key_id: string | null, now: Date) {
  const [account] = await tx.select().from(accounts).where(eq(accounts.organization_id, organization_id)).for('update');
  const at = account?.last_entry_at && account.last_entry_at > now ? account.last_entry_at : now;
  const month = `${monthOf(at)}-01`;
  const [spent] = await tx
    .select({ sum: sql<string>`coalesce(sum(${spendingDays.spent_micro_usd}), 0)::text` })
    .from(spendingDays)
    .where(
      and(
        eq(spendingDays.organization_id, organization_id),
        gte(spendingDays.date, month),
        key_id === null ? undefined : eq(spendingDays.key_id, key_id),
      ),
    );
  const [held] = await tx
    .select({ sum: sql<string>`coalesce(sum(${generations.amount_micro_usd}), 0)::text` })
    .from(generations)
    .where(
      and(
        eq(generations.organization_id, organization_id),
        eq(generations.billing_status, 'reserved'),
        key_id === null ? undefined : eq(generations.created_by, key_id),
      ),
    );
  return { month, spent_micro_usd: BigInt(spent?.sum ?? 0), reserved_micro_usd: BigInt(held?.sum ?? 0) };
}

function presentBudget(row: BudgetRow, key_name: string | null, now: Date): Budget {
  const current = `${monthOf(now)}-01`;
  const isOver = row.month < current;
  const spent = isOver ? 0n : row.spent_micro_usd;
  const used = spent + row.reserved_micro_usd;
  const { limit_micro_usd: limit, warn_at_percent } = row;
  const isNear = used * 100n >= limit * BigInt(warn_at_percent);
  return {
    id: row.id,
    object: 'budget',
    key: row.id === ORGANIZATION_BUDGET ? null : { id: row.id, name: key_name ?? '' },
    limit_usd: formatUsd(limit),
    warn_at_percent,
    contact: row.contact,
    month: (isOver ? current : row.month).slice(0, 7),
    spent_usd: formatUsd(spent),
    reserved_usd: formatUsd(row.reserved_micro_usd),
    left_usd: formatUsd(limit > used ? limit - used : 0n),
    state: used >= limit ? 'exhausted' : isNear ? 'warning' : 'ok',
    updated_at: row.updated_at.toISOString(),
  };
}
