import { and, desc, eq, inArray, isNull } from 'drizzle-orm';
import type { GenerationCancellation, GenerationCancellationRequest } from '#contract/resources/generation.ts';
import type { Caller } from '#server/platform/core/caller.ts';
import type { Tx } from '#server/platform/db/db.ts';
import { generations } from '#server/platform/db/schema/schema.ts';
import { madeBy } from '#server/platform/db/work-scope.ts';
import type { Deps } from '#server/platform/deps.ts';
import { withIdempotency } from '#server/accounts/idempotency/with-idempotency.ts';
import { assertMayChange, changesOwnOnly } from '#server/accounts/keys/assert-may-act.ts';
import { madeByCaller } from '#server/accounts/people/made-by-caller.ts';
import { scopeWork } from '#server/accounts/people/own-work.ts';
import { recordForeignCancels } from './cancel-generation.ts';
import { cancelAll } from './cancel-revoked.ts';
import type { GenerationRow } from './read/generation-row.ts';

/** As many are canceled in one transaction, which locks the account of the organization at its end. */
const BATCH_SIZE = 50;
const MAX_QUEUED = 500;

/**
 * Cancels several generations, or all queued ones of the caller that belong to no workflow run. A failure leaves whole
 * batches canceled, so that repeating the request continues. Decision: Cancel
 * @throws {ApiError} 503
 */
export async function cancelGenerations(
  deps: Deps,
  caller: Caller,
  { ids }: GenerationCancellationRequest,
): Promise<GenerationCancellation> {
  const { canceled, kept, has_more } = ids ? await cancelByIds(deps, caller, ids) : await cancelQueued(deps, caller);
  return { object: 'generation_cancellation', canceled, kept, has_more };
}

type Outcome = Pick<GenerationCancellation, 'canceled' | 'kept' | 'has_more'>;

async function cancelByIds(deps: Deps, caller: Caller, ids: readonly string[]): Promise<Outcome> {
  const scope = and(
    eq(generations.organization_id, caller.organization_id),
    madeBy(generations.created_by, scopeWork(caller, undefined)),
  );
  const outcome: Outcome = { canceled: [], kept: [], has_more: false };
  const wanted = [...new Set(ids)];
  if (changesOwnOnly(caller)) {
    const { created_by } = generations;
    for (const row of await deps.db
      .selectDistinct({ created_by })
      .from(generations)
      .where(and(scope, inArray(generations.id, wanted))))
      assertMayChange(caller, row);
  }
  for (let at = 0; at < wanted.length; at += BATCH_SIZE) {
    const batch = wanted.slice(at, at + BATCH_SIZE);
    const canceled = await inTransaction(deps, async (tx) => {
      const rows = await tx
        .select()
        .from(generations)
        .where(and(scope, inArray(generations.id, batch), inArray(generations.status, ['queued', 'running'])))
        .orderBy(generations.id)
        .for('no key update');
      return cancelRecorded(deps, tx, caller, rows);
    });
    outcome.canceled.push(...canceled);
    const rest = batch.filter((id) => !canceled.includes(id));
    const { id, status } = generations;
    const known = await deps.db
      .select({ id, status })
      .from(generations)
      .where(and(scope, inArray(id, rest)));
    const statuses = new Map(known.map((row) => [row.id, row.status]));
    outcome.kept.push(...rest.map((each) => ({ id: each, status: statuses.get(each) ?? null })));
  }
  return outcome;
}

async function cancelQueued(deps: Deps, caller: Caller): Promise<Outcome> {
  const isWaiting = and(
    eq(generations.organization_id, caller.organization_id),
    changesOwnOnly(caller) ? eq(generations.created_by, caller.key_id) : madeByCaller(generations.created_by, caller),
    eq(generations.status, 'queued'),
    isNull(generations.workflow_run_id),
  );
  const canceled: string[] = [];
  while (canceled.length < MAX_QUEUED) {
    const batch = await inTransaction(deps, async (tx) => {
      const rows = await tx
        .select()
        .from(generations)
        .where(isWaiting)
        .orderBy(desc(generations.id))
        .limit(BATCH_SIZE)
        .for('no key update', { skipLocked: true });
      return cancelRecorded(deps, tx, caller, rows);
    });
    canceled.push(...batch);
    if (batch.length < BATCH_SIZE) break;
  }
  return { canceled, kept: [], has_more: (await deps.db.$count(generations, isWaiting)) > 0 };
}

async function cancelRecorded(deps: Deps, tx: Tx, caller: Caller, rows: readonly GenerationRow[]): Promise<string[]> {
  const ids = await cancelAll(deps, tx, rows, null);
  const canceled = rows.filter(({ id }) => ids.includes(id));
  await recordForeignCancels(tx, caller, canceled, deps.clock.now());
  return ids;
}

/** Without an idempotency key: a repeated cancel has no further effect. */
const inTransaction = async (deps: Deps, act: (tx: Tx) => Promise<string[]>): Promise<string[]> =>
  (await withIdempotency(deps, undefined, async (tx) => ({ status: 200, body: await act(tx) }))).body;
