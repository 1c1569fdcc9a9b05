import { cleanName } from '#contract/one-line.ts';
import { and, eq, ne, sql } from 'drizzle-orm';
import type { MediaLengths } from '#contract/money/estimate.ts';
import type { JobCostBasis } from '#contract/providers.ts';
import type { ProviderStatus } from '#contract/resources/generation.ts';
import type { UpstreamJobState } from '#contract/resources/review.ts';
import type { Deps } from '#server/platform/deps.ts';
import type { Tx } from '#server/platform/db/db.ts';
import { generations, upstreamJobs } from '#server/platform/db/schema/schema.ts';
import { isBookedInClosedMonth } from '#server/accounts/closing/settling/closing-entries.ts';
import { handleRequestId } from '#server/models/engine/request-id.ts';
import type { UpstreamEngine, UpstreamHandle } from '#server/models/engine/upstream.ts';
import { type Lease, leaseCondition } from '#server/studio/generations/generation-lease.ts';
import { enqueueUpstreamCancel } from './enqueue-upstream-cancel.ts';

export type UpstreamJobRow = typeof upstreamJobs.$inferSelect;

/** @returns null if the generation was never submitted */
export async function readUpstreamJob(
  db: Pick<Deps['db'], 'select'>,
  generationId: string,
): Promise<UpstreamJobRow | null> {
  const [row] = await db.select().from(upstreamJobs).where(eq(upstreamJobs.generation_id, generationId));
  return row ?? null;
}

/**
 * Records that a submit is about to be sent, so that it is known after a crash.
 * @returns null if the lease is lost; nothing may be sent then
 */
export async function markSubmitting(
  { db, clock }: Deps,
  lease: Lease,
  { name, connection_id }: Pick<UpstreamEngine, 'name' | 'connection_id'>,
  mediaLengths: MediaLengths,
): Promise<UpstreamJobRow | null> {
  const now = clock.now();
  const submit = {
    engine: name,
    connection_id: connection_id ?? null,
    media_lengths: mediaLengths,
    state: 'submitting',
    updated_at: now,
  } as const;
  return db.transaction(async (tx) => {
    const [leased] = await tx
      .select({ id: generations.id })
      .from(generations)
      .where(leaseCondition(lease))
      .for('update');
    if (!leased) return null;
    // Its media could be read; a later outage counts from its own start.
    if (lease.row.storage_failed_at !== null)
      await tx.update(generations).set({ storage_failed_at: null }).where(leaseCondition(lease));
    lease.row.storage_failed_at = null;
    const [row] = await tx
      .insert(upstreamJobs)
      .values({ ...submit, generation_id: leased.id, submitted_at: now })
      .onConflictDoUpdate({ target: upstreamJobs.generation_id, set: submit })
      .returning();
    return row ?? null;
  });
}

/** From here on a problem is shown, because it is more than a lost response. */
const SHOWN_PROBLEM_COUNT = 2;
const MAX_PROBLEM_LENGTH = 200;

/** Records a problem and counts consecutive ones. @returns the updated row */
export async function recordProblem(
  { db, clock }: Deps,
  { generation_id }: UpstreamJobRow,
  lastProblem: string,
  state: UpstreamJobState,
): Promise<UpstreamJobRow> {
  const [row] = await db
    .update(upstreamJobs)
    .set({
      state,
      last_problem: lastProblem,
      problem_count: sql`${upstreamJobs.problem_count} + 1`,
      updated_at: clock.now(),
    })
    .where(eq(upstreamJobs.generation_id, generation_id))
    .returning();
  if (!row) throw new Error(`${generation_id} has no upstream job.`);
  if (row.problem_count >= SHOWN_PROBLEM_COUNT)
    await db
      .update(generations)
      .set({
        provider_status: { queue_position: null, stage: null, problem: cleanName(lastProblem, MAX_PROBLEM_LENGTH) },
        updated_at: clock.now(),
      })
      .where(and(eq(generations.id, generation_id), eq(generations.status, 'running')));
  return row;
}

/**
 * Records the handle of an accepted job. If the generation has completed in the meantime, the job is canceled.
 * @returns the row; null if the lease is lost
 */
export async function recordAccepted(deps: Deps, lease: Lease, handle: UpstreamHandle): Promise<UpstreamJobRow | null> {
  return deps.db.transaction(async (tx) => {
    const { status, lease_owner } = await lockGeneration(tx, lease.row.id);
    const requestId = handleRequestId(handle);
    const accepted = {
      state: 'accepted',
      handle,
      request_id: requestId,
      last_problem: null,
      problem_count: 0,
    } as const;
    const [row] = await tx
      .update(upstreamJobs)
      .set({ ...accepted, updated_at: deps.clock.now() })
      .where(eq(upstreamJobs.generation_id, lease.row.id))
      .returning();
    if (status === 'running') return lease_owner === lease.owner ? (row ?? null) : null;
    // A reviewer may still approve the job's result.
    if (status !== 'manual_review') await enqueueUpstreamCancel(deps, tx, lease.row.id);
    return null;
  });
}

/**
 * Records that a job's result was received, so that nothing is submitted again while it waits for storage. Without a
 * handle only the process that has the result can continue.
 */
export async function recordReceived(
  { db, clock }: Deps,
  generationId: string,
  completion: UpstreamCompletion,
): Promise<void> {
  await db
    .update(upstreamJobs)
    .set({
      state: 'accepted',
      last_problem: null,
      problem_count: 0,
      ...knownFacts(completion),
      updated_at: clock.now(),
    })
    .where(and(eq(upstreamJobs.generation_id, generationId), ne(upstreamJobs.state, 'ended')));
}

/** Stores what the provider says about a running job, if that has changed. */
export async function recordProviderStatus(
  { db, clock }: Deps,
  lease: Lease,
  providerStatus: ProviderStatus | null,
): Promise<void> {
  await db
    .update(generations)
    .set({ provider_status: providerStatus, updated_at: clock.now() })
    .where(
      and(
        leaseCondition(lease),
        sql`${generations.provider_status} is distinct from ${JSON.stringify(providerStatus)}::jsonb`,
      ),
    );
}

export interface UpstreamCompletion {
  cost_micro_usd: bigint | null;
  /** `unreadable` without a cost. */
  cost_basis: JobCostBasis | null;
  handle: UpstreamHandle | undefined;
  /** The provider's id of the job, where no handle has it. */
  request_id?: string | null;
}

/** What an ending says is stored; what it leaves open stays. */
function knownFacts({ cost_micro_usd, cost_basis, handle, request_id }: UpstreamCompletion) {
  const id = (handle && handleRequestId(handle)) ?? request_id ?? null;
  return {
    ...(cost_basis === null ? {} : { cost_micro_usd, cost_basis }),
    ...(handle === undefined ? {} : { handle }),
    ...(id === null ? {} : { request_id: id }),
  };
}

/** Records the cost of a job that has not ended here yet. */
export async function recordCost(
  { db, clock }: Deps,
  generationId: string,
  { cost_micro_usd, cost_basis }: Pick<UpstreamCompletion, 'cost_micro_usd' | 'cost_basis'>,
): Promise<void> {
  if (cost_basis === null) return;
  const now = clock.now();
  await db.transaction(async (tx) => {
    if (await isClosed(tx, await lockGeneration(tx, generationId), now)) return;
    await tx
      .update(upstreamJobs)
      .set({ cost_micro_usd, cost_basis, updated_at: now })
      .where(eq(upstreamJobs.generation_id, generationId));
  });
}

/** What is booked in a closed month stays: the bill has its cost too, as a correction of the open month. */
const isClosed = async (
  tx: Tx,
  { organization_id, completed_at }: Awaited<ReturnType<typeof lockGeneration>>,
  now: Date,
): Promise<boolean> => completed_at !== null && (await isBookedInClosedMonth(tx, organization_id, completed_at, now));

/** Records how a job completed, even if the generation has another outcome, because its cost was spent. */
export async function recordCompletion(
  tx: Tx,
  generationId: string,
  completion: UpstreamCompletion,
  now: Date,
): Promise<void> {
  const generation = await lockGeneration(tx, generationId);
  const { status } = generation;
  const known = (await isClosed(tx, generation, now)) ? { ...completion, cost_basis: null } : completion;
  await tx
    .update(upstreamJobs)
    .set({
      // If another worker has claimed the generation, it continues from the state.
      ...(status === 'running' ? {} : { state: 'ended' as const }),
      ...knownFacts(known),
      updated_at: now,
    })
    .where(eq(upstreamJobs.generation_id, generationId));
}

async function lockGeneration(tx: Tx, id: string) {
  const [row] = await tx
    .select({
      status: generations.status,
      lease_owner: generations.lease_owner,
      organization_id: generations.organization_id,
      completed_at: generations.completed_at,
    })
    .from(generations)
    .where(eq(generations.id, id))
    .for('update');
  if (!row) throw new Error(`There is no generation ${id}.`);
  return row;
}
