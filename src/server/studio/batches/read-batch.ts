import { type SQL, and, desc, eq, lt } from 'drizzle-orm';
import type { QueryOf } from '#contract/api/endpoints.ts';
import { formatUsd } from '#contract/money/money.ts';
import type { List } from '#contract/primitives.ts';
import type { Batch } from '#contract/resources/batch.ts';
import { ApiError } from '#server/platform/core/api-error.ts';
import { parsePageCursor, presentPage } from '#server/platform/core/list-page.ts';
import { batches } from '#server/platform/db/schema/batch-schema.ts';
import type { Db } from '#server/platform/db/db.ts';
import { type WorkScope, madeBy } from '#server/platform/db/work-scope.ts';
import type { Deps } from '#server/platform/deps.ts';
import { readCreators } from '#server/accounts/keys/read-creators.ts';
import { readBatchSums } from './batch-sums.ts';

export type BatchRow = typeof batches.$inferSelect;
type Reader = { db: Pick<Db, 'select'> };

/** @throws {ApiError} 404 `not_found`, also for a batch of another organization */
export async function findBatch({ db }: Reader, organizationId: string, id: string): Promise<BatchRow> {
  const [row] = await db
    .select()
    .from(batches)
    .where(and(eq(batches.id, id), eq(batches.organization_id, organizationId)));
  if (row) return row;
  throw batchNotFoundError();
}

export const batchNotFoundError = () => new ApiError('not_found', 'Batch not found.');

/** @throws {ApiError} 404 */
export async function readBatch(deps: Reader, organizationId: string, id: string): Promise<Batch> {
  const [batch] = await presentBatches(deps, [await findBatch(deps, organizationId, id)]);
  if (!batch) throw new Error('The batch was not presented.');
  return batch;
}

/** @throws {ApiError} 400 for an unknown cursor */
export async function listBatches(
  { db, secrets }: Deps,
  work: WorkScope,
  { limit, cursor, mode, status }: Omit<QueryOf<'list_batches'>, 'person_id'>,
): Promise<List<Batch>> {
  const { organization_id } = work;
  const scope = { organization_id, list: 'batches' } as const;
  const before = parsePageCursor(secrets, scope, cursor);
  const filter: SQL | undefined = and(
    eq(batches.organization_id, organization_id),
    madeBy(batches.created_by, work),
    mode && eq(batches.mode, mode),
    status && eq(batches.status, status),
    before === undefined ? undefined : lt(batches.id, before),
  );
  const rows = await db
    .select()
    .from(batches)
    .where(filter)
    .orderBy(desc(batches.id))
    .limit(limit + 1);
  const present = (page: BatchRow[]) => presentBatches({ db }, page);
  return presentPage(secrets, scope, { rows, limit, position: ({ id }) => id, present });
}

async function presentBatches(deps: Reader, rows: readonly BatchRow[]): Promise<Batch[]> {
  const creatorOf = await readCreators(
    deps,
    rows.map(({ created_by }) => created_by),
  );
  const sumsOf = await readBatchSums(
    deps,
    rows.map(({ id }) => id),
  );
  return rows.map((row) => {
    const { counts, spent_micro_usd, reserved_micro_usd } = sumsOf(row.id);
    const { id, name, mode, status, pause_reason, pause_message, metadata, stop_at_micro_usd } = row;
    return {
      id,
      object: 'batch',
      name,
      mode,
      status,
      pause_reason,
      pause_message,
      counts: {
        total: [...counts.values()].reduce((sum, count) => sum + count, 0),
        waiting: counts.get('waiting') ?? 0,
        active: counts.get('active') ?? 0,
        succeeded: counts.get('succeeded') ?? 0,
        failed: counts.get('failed') ?? 0,
        canceled: counts.get('canceled') ?? 0,
        manual_review: counts.get('manual_review') ?? 0,
      },
      estimated_usd: formatUsd(row.estimated_micro_usd),
      spent_usd: formatUsd(spent_micro_usd),
      reserved_usd: formatUsd(reserved_micro_usd),
      stop_at_usd: stop_at_micro_usd === null ? null : formatUsd(stop_at_micro_usd),
      metadata,
      created_by: creatorOf(row.created_by),
      created_at: row.created_at.toISOString(),
      updated_at: row.updated_at.toISOString(),
      completed_at: row.completed_at?.toISOString() ?? null,
    };
  });
}
