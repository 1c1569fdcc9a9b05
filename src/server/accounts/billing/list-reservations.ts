import { and, desc, eq, gt, inArray, lt } from 'drizzle-orm';
import type { QueryOf } from '#contract/api/endpoints.ts';
import { formatUsd } from '#contract/money/money.ts';
import type { List } from '#contract/primitives.ts';
import type { Reservation } from '#contract/resources/ledger.ts';
import type { Deps } from '#server/platform/deps.ts';
import { generationListColumns } from '#server/platform/db/generation-list-columns.ts';
import { apiKeys } from '#server/platform/db/schema/organization-schema.ts';
import { generations } from '#server/platform/db/schema/schema.ts';
import type { SpendingScope } from './reports/spending-scope.ts';
import { presentPage, parsePageCursor } from '#server/platform/core/list-page.ts';

/**
 * Lists reservations of unfinished work, newest first. They add up to the reserved funds.
 * @throws {ApiError} 400 `invalid_request` for a cursor that was never issued
 */
export async function listReservations(
  { db, secrets }: Deps,
  { organization_id, key_ids }: SpendingScope,
  { limit, cursor }: QueryOf<'list_reservations'>,
): Promise<List<Reservation>> {
  const scope = { organization_id, list: 'reservations' } as const;
  const before = parsePageCursor(secrets, scope, cursor);
  const rows = await db
    .select({ generation: generationListColumns, key_name: apiKeys.name })
    .from(generations)
    .innerJoin(apiKeys, eq(apiKeys.id, generations.created_by))
    .where(
      and(
        eq(generations.organization_id, organization_id),
        key_ids === null ? undefined : inArray(generations.created_by, [...key_ids]),
        eq(generations.billing_status, 'reserved'),
        gt(generations.amount_micro_usd, 0n),
        before === undefined ? undefined : lt(generations.id, before),
      ),
    )
    .orderBy(desc(generations.id))
    .limit(limit + 1);
  return presentPage(secrets, scope, {
    rows,
    limit,
    position: ({ generation }) => generation.id,
    present: (page) =>
      page.map(({ generation: row, key_name }) => ({
        object: 'reservation',
        generation_id: row.id,
        status: row.status,
        task: row.task,
        model: row.model,
        workflow_run_id: row.workflow_run_id,
        created_by: { id: row.created_by, name: key_name },
        amount_usd: formatUsd(row.amount_micro_usd),
        created_at: row.created_at.toISOString(),
      })),
  });
}
