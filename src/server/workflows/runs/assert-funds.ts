import { and, eq, inArray } from 'drizzle-orm';
import { formatUsd } from '#contract/money.ts';
import { budgetExceededError, insufficientFundsError } from '#server/billing/billing-errors.ts';
import type { Caller } from '#server/core/caller.ts';
import { ORGANIZATION_BUDGET, accounts, budgets } from '#server/db/billing-schema.ts';
import type { Tx } from '#server/db/db.ts';

/** Reserves nothing: each step reserves its own price. @throws {ApiError} 402 `insufficient_balance` */
export async function assertFunds(
  tx: Tx,
  { organization_id, key_id, key_name }: Omit<Caller, 'kind'>,
  needed: bigint,
  now: Date,
): Promise<void> {
  if (needed === 0n) return;
  const [account] = await tx.select().from(accounts).where(eq(accounts.organization_id, organization_id));
  const available = account?.available_micro_usd ?? 0n;
  if (available < needed) throw insufficientFundsError(needed, available);
  const month = now.toISOString().slice(0, 7);
  const rows = await tx
    .select()
    .from(budgets)
    .where(and(eq(budgets.organization_id, organization_id), inArray(budgets.id, [ORGANIZATION_BUDGET, key_id])));
  for (const budget of rows) {
    const spent = budget.month < `${month}-01` ? 0n : budget.spent_micro_usd;
    const left = budget.limit_micro_usd - spent - budget.reserved_micro_usd;
    if (needed <= left) continue;
    throw budgetExceededError({
      id: budget.id,
      key_name: budget.id === ORGANIZATION_BUDGET ? null : key_name,
      month,
      needed_usd: formatUsd(needed),
      limit_usd: formatUsd(budget.limit_micro_usd),
      left_usd: formatUsd(left > 0n ? left : 0n),
      contact: budget.contact,
    });
  }
}
