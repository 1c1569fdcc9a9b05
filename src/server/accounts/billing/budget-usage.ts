import { type SQL, and, eq, gte, inArray, sql } from 'drizzle-orm';
import {
  type BudgetInterval,
  type BudgetScope,
  type ParsedScope,
  parseBudgetScope,
  startOfInterval,
} from '#contract/budget-scope.ts';
import { accounts, ledgerEntries, spendingDays } from '#server/platform/db/billing-schema.ts';
import type { Tx } from '#server/platform/db/db.ts';
import { apiKeys } from '#server/platform/db/organization-schema.ts';
import { generations } from '#server/platform/db/schema.ts';

/**
 * Reads spending of the current interval and reservations under the lock of the account, so that no entry changes them
 * during the transaction.
 */
export async function readBudgetUsage(
  tx: Tx,
  organization_id: string,
  { scope, interval }: { scope: BudgetScope; interval: BudgetInterval },
  now: Date,
) {
  const [account] = await tx.select().from(accounts).where(eq(accounts.organization_id, organization_id)).for('update');
  const at = account?.last_entry_at && account.last_entry_at > now ? account.last_entry_at : now;
  const interval_start = startOfInterval(interval, at);
  const parsed = parseBudgetScope(scope) ?? { type: 'organization' };
  const [held] = await tx
    .select({ sum: sumOf(generations.amount_micro_usd) })
    .from(generations)
    .where(
      and(
        eq(generations.organization_id, organization_id),
        eq(generations.billing_status, 'reserved'),
        generationsIn(tx, parsed),
      ),
    );
  const spent_micro_usd = await readSpending(tx, organization_id, parsed, interval_start);
  return { interval_start, spent_micro_usd, reserved_micro_usd: BigInt(held?.sum ?? 0) };
}

const sumOf = (column: typeof generations.amount_micro_usd | typeof spendingDays.spent_micro_usd) =>
  sql<string>`coalesce(sum(${column}), 0)::text`;

const keysOf = (tx: Tx, person_id: string) =>
  tx.select({ id: apiKeys.id }).from(apiKeys).where(eq(apiKeys.person_id, person_id));

function generationsIn(tx: Tx, scope: ParsedScope): SQL | undefined {
  switch (scope.type) {
    case 'organization':
      return undefined;
    case 'key':
      return eq(generations.created_by, scope.id);
    case 'person':
      return inArray(generations.created_by, keysOf(tx, scope.id));
    case 'model':
      return eq(generations.model, scope.id);
    case 'tag':
      return sql`${generations.tags} ->> ${scope.name} = ${scope.value}`;
  }
}

async function readSpending(tx: Tx, organization_id: string, scope: ParsedScope, since: string): Promise<bigint> {
  if (scope.type === 'tag') {
    const [spent] = await tx
      .select({ sum: sql<string>`coalesce(-sum(${ledgerEntries.amount_micro_usd}), 0)::text` })
      .from(ledgerEntries)
      .innerJoin(generations, eq(generations.id, ledgerEntries.generation_id))
      .where(
        and(
          eq(ledgerEntries.organization_id, organization_id),
          inArray(ledgerEntries.type, ['SETTLE', 'REFUND']),
          gte(ledgerEntries.created_at, new Date(`${since}T00:00:00Z`)),
          generationsIn(tx, scope),
        ),
      );
    return BigInt(spent?.sum ?? 0);
  }
  const [spent] = await tx
    .select({ sum: sumOf(spendingDays.spent_micro_usd) })
    .from(spendingDays)
    .where(
      and(
        eq(spendingDays.organization_id, organization_id),
        gte(spendingDays.date, since),
        scope.type === 'key' ? eq(spendingDays.key_id, scope.id) : undefined,
        scope.type === 'person' ? inArray(spendingDays.key_id, keysOf(tx, scope.id)) : undefined,
        scope.type === 'model' ? eq(spendingDays.model, scope.id) : undefined,
      ),
    );
  return BigInt(spent?.sum ?? 0);
}
