import { and, eq, inArray, sql } from 'drizzle-orm';
import {
  type BudgetInterval,
  type BudgetScope,
  type ParsedScope,
  parseBudgetScope,
  startOfInterval,
} from '#contract/money/budget-scope.ts';
import { accounts } from '#server/platform/db/schema/billing-schema.ts';
import type { Tx } from '#server/platform/db/db.ts';
import { apiKeys } from '#server/platform/db/schema/organization-schema.ts';
import { generations } from '#server/platform/db/schema/schema.ts';
import type { LedgerFilter } from './ledger/ledger-filter.ts';
import { hasTags } from './reports/spending-scope.ts';
import { sumAll } from './reports/report.ts';

/**
 * Reads spending of the current interval and reservations under the lock of the account, so that no entry changes them
 * during the transaction.
 */
export async function readBudgetUsage(
  tx: Tx,
  organizationId: string,
  { scope, interval }: { scope: BudgetScope; interval: BudgetInterval },
  now: Date,
) {
  const [account] = await tx.select().from(accounts).where(eq(accounts.organization_id, organizationId)).for('update');
  const at = account?.last_entry_at && account.last_entry_at > now ? account.last_entry_at : now;
  const intervalStart = startOfInterval(interval, at);
  const filter = await filterOf(tx, parseBudgetScope(scope) ?? { type: 'organization' });
  const { key_ids, model, tags } = filter;
  const [held] = await tx
    .select({ sum: sql<string>`coalesce(sum(${generations.amount_micro_usd}), 0)::text` })
    .from(generations)
    .where(
      and(
        eq(generations.organization_id, organizationId),
        eq(generations.billing_status, 'reserved'),
        key_ids ? inArray(generations.created_by, [...key_ids]) : undefined,
        model ? eq(generations.model, model) : undefined,
        hasTags(sql`${generations.tags}`, tags ?? new Map()),
      ),
    );
  const from = new Date(`${intervalStart}T00:00:00Z`);
  const { spent } = await sumAll(tx, { organization_id: organizationId, ...filter }, { from }, ['spent']);
  return { interval_start: intervalStart, spent_micro_usd: spent, reserved_micro_usd: BigInt(held?.sum ?? 0) };
}

async function filterOf(tx: Tx, scope: ParsedScope): Promise<Pick<LedgerFilter, 'key_ids' | 'tags' | 'model'>> {
  switch (scope.type) {
    case 'organization':
      return {};
    case 'key':
      return { key_ids: [scope.id] };
    case 'person': {
      const keys = await tx.select({ id: apiKeys.id }).from(apiKeys).where(eq(apiKeys.person_id, scope.id));
      return { key_ids: keys.map(({ id }) => id) };
    }
    case 'model':
      return { model: scope.id };
    case 'tag':
      return { tags: new Map([[scope.name, scope.value]]) };
  }
}
