import { type SQL, and, eq, inArray, sql } from 'drizzle-orm';
import {
  type BudgetInterval,
  type BudgetScope,
  type ParsedScope,
  parseBudgetScope,
  startOfInterval,
} from '#contract/budget-scope.ts';
import { accounts } from '#server/platform/db/billing-schema.ts';
import type { Tx } from '#server/platform/db/db.ts';
import { apiKeys } from '#server/platform/db/organization-schema.ts';
import { generations } from '#server/platform/db/schema.ts';
import type { LedgerFilter } from './ledger-filter.ts';
import { netSpending, sumEntries, SPENDING_TYPES } from './sum-entries.ts';

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
    .select({ sum: sql<string>`coalesce(sum(${generations.amount_micro_usd}), 0)::text` })
    .from(generations)
    .where(
      and(
        eq(generations.organization_id, organization_id),
        eq(generations.billing_status, 'reserved'),
        generationsIn(tx, parsed),
      ),
    );
  const spent = {
    ...(await filterOf(tx, parsed)),
    from: new Date(`${interval_start}T00:00:00Z`),
    types: SPENDING_TYPES,
  };
  const spent_micro_usd = netSpending(await sumEntries(tx, organization_id, spent));
  return { interval_start, spent_micro_usd, reserved_micro_usd: BigInt(held?.sum ?? 0) };
}

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

async function filterOf(tx: Tx, scope: ParsedScope): Promise<Pick<LedgerFilter, 'key_ids' | 'tags' | 'model'>> {
  switch (scope.type) {
    case 'organization':
      return {};
    case 'key':
      return { key_ids: [scope.id] };
    case 'person':
      return { key_ids: (await keysOf(tx, scope.id)).map(({ id }) => id) };
    case 'model':
      return { model: scope.id };
    case 'tag':
      return { tags: new Map([[scope.name, scope.value]]) };
  }
}
