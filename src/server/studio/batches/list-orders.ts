import type { Db } from '#server/platform/db/db.ts';
import { type SQL, and, asc, eq, getTableColumns, gt, sql } from 'drizzle-orm';
import type { QueryOf } from '#contract/api/endpoints.ts';
import { formatUsd } from '#contract/money/money.ts';
import type { List } from '#contract/primitives.ts';
import type { BatchOrder } from '#contract/resources/batch.ts';
import { parsePageCursor, readSizedPage } from '#server/platform/core/list-page.ts';
import { batchOrders } from '#server/platform/db/schema/batch-schema.ts';
import { generationListColumns } from '#server/platform/db/generation-list-columns.ts';
import { generations } from '#server/platform/db/schema/schema.ts';
import type { Deps } from '#server/platform/deps.ts';
import { presentGenerations } from '#server/studio/generations/read/present-generation.ts';
import { orderStatus } from './batch-sums.ts';

const { input_excerpt, ...columns } = getTableColumns(batchOrders);

const selectOrders = (db: Db, where: SQL | undefined, limit: number) =>
  db
    .select({
      row: {
        ...columns,
        input_truncated: sql<boolean>`${input_excerpt} is not null`,
        // Without the input as it was sent, which can be as large as a body, where there is an excerpt.
        order: sql<typeof batchOrders.$inferSelect.order>`case when ${input_excerpt} is null then ${batchOrders.order}
          else ${batchOrders.order} || jsonb_build_object('input', ${input_excerpt}) end`,
      },
      status: orderStatus,
      generation: generationListColumns,
    })
    .from(batchOrders)
    .leftJoin(generations, eq(generations.id, batchOrders.generation_id))
    .where(where)
    .orderBy(asc(batchOrders.index))
    .limit(limit);

type SelectedOrder = Awaited<ReturnType<typeof selectOrders>>[number];

/** Reads orders in the order of the request, after a position. */
export async function readOrders(
  deps: Deps,
  batchId: string,
  { after, status, limit }: { after: number; status?: QueryOf<'list_batch_orders'>['status']; limit: number },
): Promise<BatchOrder[]> {
  const where = and(
    eq(batchOrders.batch_id, batchId),
    gt(batchOrders.index, after),
    status && sql`${orderStatus} = ${status}`,
  );
  return presentOrders(deps, await selectOrders(deps.db, where, limit));
}

/** @throws {ApiError} 400 for an unknown cursor */
export async function listOrders(
  deps: Deps,
  organizationId: string,
  batchId: string,
  { limit, cursor, status }: QueryOf<'list_batch_orders'>,
): Promise<List<BatchOrder>> {
  const scope = { organization_id: organizationId, list: 'batch_orders' } as const;
  return readSizedPage(deps.secrets, scope, {
    limit,
    after: parsePageCursor(deps.secrets, scope, cursor),
    read: (after, count) =>
      readOrders(deps, batchId, { after: Number(after ?? -1), limit: count, ...(status ? { status } : {}) }),
    position: ({ index }) => String(index),
    present: (page) => page,
  });
}

async function presentOrders(deps: Deps, rows: readonly SelectedOrder[]): Promise<BatchOrder[]> {
  const placed = rows.flatMap(({ generation }) => (generation ? [{ generation }] : []));
  const presented = await presentGenerations(deps, placed);
  const byId = new Map(presented.map((generation) => [generation.id, generation]));
  return rows.map(({ row, status }) => {
    const { task, model = null, input, metadata = null, name = null } = row.order;
    return {
      object: 'batch_order',
      index: row.index,
      status,
      order: { task, model, input, metadata, name },
      ...(row.input_truncated ? { input_truncated: true as const } : {}),
      estimated_usd: row.estimated_micro_usd === null ? null : formatUsd(row.estimated_micro_usd),
      generation: byId.get(row.generation_id ?? '') ?? null,
      error: row.error,
    };
  });
}
