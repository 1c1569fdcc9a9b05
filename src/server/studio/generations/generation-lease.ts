import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { and, eq, isNull, lt, or, sql } from 'drizzle-orm';
import type { Deps } from '#server/platform/deps.ts';
import { generations } from '#server/platform/db/schema/schema.ts';
import { sendGenerationJob } from './send-generation-job.ts';
import type { GenerationRow } from './read/generation-row.ts';

/** Without a heartbeat for this long, another worker may claim the generation. */
const LEASE_MS = 15_000;
const LEASE_RENEWAL_MS = 5_000;
const HEARTBEAT_INTERVAL_MS = 500;
/** A suspended generation whose wake-up is this late has lost it. */
const OVERDUE_MS = 60_000;

/** The exclusive right of this worker to run a generation, while it renews the lease. */
export interface Lease {
  row: GenerationRow;
  /** Unique per claim, so that a worker that lost its lease cannot mistake the next one for its own. */
  owner: string;
}

/**
 * Claims a generation that is queued, or running without a live worker.
 * @returns null if it is completed or another worker runs it
 */
export async function claimGeneration({ db, clock }: Deps, id: string): Promise<Lease | null> {
  const now = clock.now();
  const owner = randomUUID();
  const abandoned = or(isNull(generations.lease_owner), lt(generations.lease_expires_at, now));
  const [row] = await db
    .update(generations)
    .set({
      status: 'running',
      lease_owner: owner,
      lease_expires_at: new Date(now.getTime() + LEASE_MS),
      attempts: sql`${generations.attempts} + 1`,
      started_at: sql`coalesce(${generations.started_at}, ${now.toISOString()}::timestamptz)`,
      // A suspended generation keeps its progress; an interrupted one starts over.
      progress: sql`case when ${generations.lease_owner} is null then coalesce(${generations.progress}, 0) else 0 end`,
      updated_at: now,
    })
    .where(
      and(
        eq(generations.id, id),
        or(eq(generations.status, 'queued'), and(eq(generations.status, 'running'), abandoned)),
      ),
    )
    .returning();
  return row ? { row, owner } : null;
}

export const leaseCondition = ({ row, owner }: Lease) =>
  and(eq(generations.id, row.id), eq(generations.status, 'running'), eq(generations.lease_owner, owner));

export interface ActiveLease {
  /** Aborted when the lease is lost: the generation was canceled, or another worker has it. */
  lost: AbortSignal;
  /** Written at most twice a second; a lower value is ignored. */
  setProgress(this: void, fraction: number): void;
  progress(this: void): number;
  stop(this: void): Promise<void>;
}

export function maintainLease({ db, clock, log }: Deps, lease: Lease): ActiveLease {
  const lost = new AbortController();
  const stopped = new AbortController();
  let progress = lease.row.progress ?? 0;
  let written = progress;
  let expiresMs = clock.now().getTime() + LEASE_MS;

  async function sendHeartbeat(): Promise<void> {
    const now = clock.now();
    const renews = expiresMs - now.getTime() < LEASE_MS - LEASE_RENEWAL_MS;
    const hasProgress = progress > written;
    const fraction = progress;
    const leaseExpiresAt = new Date(now.getTime() + LEASE_MS);
    const changes = {
      lease_expires_at: leaseExpiresAt,
      ...(hasProgress ? { progress: fraction, updated_at: now } : {}),
    };
    const leased =
      renews || hasProgress
        ? await db.update(generations).set(changes).where(leaseCondition(lease)).returning({ id: generations.id })
        : await db.select({ id: generations.id }).from(generations).where(leaseCondition(lease));
    if (leased.length === 0) return lost.abort(new Error('The lease was lost.'));
    if (renews || hasProgress) expiresMs = leaseExpiresAt.getTime();
    written = fraction;
  }

  async function renewUntilStopped(): Promise<void> {
    while (!stopped.signal.aborted && !lost.signal.aborted) {
      await delay(HEARTBEAT_INTERVAL_MS, undefined, { signal: stopped.signal }).catch(() => undefined);
      if (stopped.signal.aborted) return;
      await sendHeartbeat().catch((error: unknown) => {
        log.error({ err: error, generation_id: lease.row.id }, 'could not renew lease');
        if (clock.now().getTime() > expiresMs) lost.abort(error);
      });
    }
  }

  const renewal = renewUntilStopped();
  return {
    lost: lost.signal,
    setProgress(fraction) {
      if (fraction > progress) progress = Math.min(fraction, 1);
    },
    progress: () => progress,
    async stop() {
      stopped.abort();
      await renewal;
    },
  };
}

/** Releases an unfinished generation to the next worker. The interrupted attempt does not count. */
export async function releaseLease(deps: Deps, lease: Lease): Promise<void> {
  await deps.db.transaction(async (tx) => {
    const [row] = await tx
      .update(generations)
      .set({
        lease_owner: null,
        lease_expires_at: null,
        progress: null,
        attempts: sql`${generations.attempts} - 1`,
        updated_at: deps.clock.now(),
      })
      .where(leaseCondition(lease))
      .returning();
    if (row) await sendGenerationJob(deps, tx, row);
  });
}

export interface Suspension {
  waitMs: number;
  /** 0 to 1 */
  progress: number;
  /** When any worker may resume it; by default after `waitMs`, too. */
  jobWaitMs?: number;
  storage_failed_at?: Date;
}

/** Releases a generation that waits for another service, to be resumed after `waitMs`. The attempt does not count. */
export async function suspendGeneration(
  deps: Deps,
  lease: Lease,
  { waitMs, progress, jobWaitMs = waitMs, storage_failed_at }: Suspension,
): Promise<void> {
  const now = deps.clock.now();
  const resumeAt = new Date(now.getTime() + waitMs);
  await deps.db.transaction(async (tx) => {
    const [row] = await tx
      .update(generations)
      .set({
        lease_owner: null,
        lease_expires_at: new Date(resumeAt.getTime() + OVERDUE_MS),
        progress,
        attempts: sql`${generations.attempts} - 1`,
        ...(storage_failed_at ? { storage_failed_at } : {}),
        updated_at: now,
      })
      .where(leaseCondition(lease))
      .returning();
    if (row) await sendGenerationJob(deps, tx, row, new Date(now.getTime() + jobWaitMs));
  });
}

/** Whether the time of a suspended generation has come, or it was never resumed. */
export const isResumable = (
  { lease_owner, lease_expires_at }: Pick<GenerationRow, 'lease_owner' | 'lease_expires_at'>,
  now: Date,
): boolean =>
  lease_owner === null
    ? lease_expires_at === null || lease_expires_at.getTime() - OVERDUE_MS <= now.getTime()
    : lease_expires_at !== null && lease_expires_at < now;

/**
 * Requeues generations whose worker died.
 * @param alone no other process runs, so every lease is abandoned
 * @returns the number of generations
 */
export async function reclaimExpiredLeases(deps: Deps, alone = false): Promise<number> {
  const now = deps.clock.now();
  return deps.db.transaction(async (tx) => {
    const rows = await tx
      .update(generations)
      .set({ lease_owner: null, lease_expires_at: null, progress: null, updated_at: now })
      .where(and(eq(generations.status, 'running'), alone ? undefined : lt(generations.lease_expires_at, now)))
      .returning();
    for (const row of rows) await sendGenerationJob(deps, tx, row);
    return rows.length;
  });
}
