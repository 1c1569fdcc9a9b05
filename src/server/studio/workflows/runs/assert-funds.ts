import { eq } from 'drizzle-orm';
import { budgetExceededError, insufficientFundsError } from '#server/accounts/billing/billing-errors.ts';
import { selectBudgetsOf } from '#server/accounts/billing/budgets.ts';
import { currentUsage } from '#server/accounts/billing/present-budget.ts';
import type { Caller } from '#server/platform/core/caller.ts';
import { accounts } from '#server/platform/db/billing-schema.ts';
import type { Tx } from '#server/platform/db/db.ts';

/** Reserves nothing: each step reserves its own price. @throws {ApiError} 402 `insufficient_balance` */
export async function assertFunds(
  tx: Tx,
  { organization_id, key_id, person }: Pick<Caller, 'organization_id' | 'key_id' | 'person'>,
  needed: bigint,
  now: Date,
): Promise<void> {
  if (needed === 0n) return;
  const [account] = await tx.select().from(accounts).where(eq(accounts.organization_id, organization_id));
  const available = account?.available_micro_usd ?? 0n;
  if (available < needed) throw insufficientFundsError(needed, available);
  const person_scopes = person ? ([`person:${person.id}`] as const) : [];
  const scopes = ['organization', `key:${key_id}`, ...person_scopes] as const;
  const rows = await selectBudgetsOf(tx, organization_id, scopes);
  for (const { budget, scope_name } of rows) {
    const { left, limit, interval_start } = currentUsage(budget, now);
    if (needed <= left) continue;
    const { id, scope, interval, contact } = budget;
    throw budgetExceededError({
      id,
      scope,
      scope_name,
      interval,
      interval_start,
      contact,
      needed_micro_usd: needed,
      limit_micro_usd: limit,
      left_micro_usd: left,
    });
  }
}
