import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { and, eq, isNull, lt, or, sql } from 'drizzle-orm';
import type { Deps } from '#server/deps.ts';
import { generations } from '#server/db/schema.ts';
import { type GenerationJobDeps, sendGenerationJob } from './send-generation-job.ts';
import type { GenerationRow } from './present-generation.ts';

/** After this long without a word from its worker, a generation is anybody's again. */
const LEASE_MS = 15_000;
const LEASE_RENEWAL_MS = 5_000;
/** How often progress is written and a cancel is noticed. */
const HEARTBEAT_INTERVAL_MS = 500;
/** A parked generation whose wake-up is so late has lost it. */
const OVERDUE_MS = 60_000;

/** A generation that this worker alone runs, for as long as the lease is kept up. */
export interface Lease {
  row: GenerationRow;
  /** One per claim, so that a worker that lost its lease cannot take the next one for its own. */
  owner: string;
}

/**
 * Takes a generation to run: a queued one, or a running one whose worker is gone.
 * @returns null where there is nothing to run: it has ended, or another has it
 */
export async function claimGeneration({ db, clock }: Pick<Deps, 'db' | 'clock'>, id: string): Promise<Lease | null> {
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
      // What was parked goes on; what was broken off begins again.
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

/** Holds for the row as long as the lease does. */
export const leaseCondition = ({ row, owner }: Lease) =>
  and(eq(generations.id, row.id), eq(generations.status, 'running'), eq(generations.lease_owner, owner));

export interface ActiveLease {
  /** Aborted when the lease is lost: the generation was canceled, or another worker has it. */
  lost: AbortSignal;
  /** Written at most twice a second; never goes back. */
  setProgress(this: void, fraction: number): void;
  /** The last value set, 0 to 1. */
  progress(this: void): number;
  /** Ends the renewal. */
  stop(this: void): Promise<void>;
}

/** Renews a lease until it is stopped, writes progress, and notices when the lease is gone. */
export function maintainLease({ db, clock, log }: Pick<Deps, 'db' | 'clock' | 'log'>, lease: Lease): ActiveLease {
  const lost = new AbortController();
  const stopped = new AbortController();
  let progress = lease.row.progress ?? 0;
  let written = progress;
  let expires_ms = clock.now().getTime() + LEASE_MS;

  async function beat(): Promise<void> {
    const now = clock.now();
    const renews = expires_ms - now.getTime() < LEASE_MS - LEASE_RENEWAL_MS;
    const moved = progress > written;
    const fraction = progress;
    const lease_expires_at = new Date(now.getTime() + LEASE_MS);
    const changes = { lease_expires_at, ...(moved ? { progress: fraction, updated_at: now } : {}) };
    const kept =
      renews || moved
        ? await db.update(generations).set(changes).where(leaseCondition(lease)).returning({ id: generations.id })
        : await db.select({ id: generations.id }).from(generations).where(leaseCondition(lease));
    if (kept.length === 0) return lost.abort(new Error('The lease is gone.'));
    if (renews || moved) expires_ms = lease_expires_at.getTime();
    written = fraction;
  }

  async function beatUntilStopped(): Promise<void> {
    while (!stopped.signal.aborted && !lost.signal.aborted) {
      await delay(HEARTBEAT_INTERVAL_MS, undefined, { signal: stopped.signal }).catch(() => undefined);
      if (stopped.signal.aborted) return;
      await beat().catch((error: unknown) => {
        log.error({ err: error, generation_id: lease.row.id }, 'lease not renewed');
        if (clock.now().getTime() > expires_ms) lost.abort(error);
      });
    }
  }

  const beating = beatUntilStopped();
  return {
    lost: lost.signal,
    setProgress(fraction) {
      if (fraction > progress) progress = Math.min(fraction, 1);
    },
    progress: () => progress,
    async stop() {
      stopped.abort();
      await beating;
    },
  };
}

/** Gives a generation that did not end to whoever wakes next; the interrupted attempt does not count. */
export async function releaseLease(deps: Pick<Deps, 'db' | 'clock'> & GenerationJobDeps, lease: Lease): Promise<void> {
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

/**
 * Lets go of a generation that waits for another service, to be woken again. That is no interrupted attempt.
 * @param progress as far as it is known, 0 to 1
 */
export async function suspendGeneration(
  deps: Pick<Deps, 'db' | 'clock'> & GenerationJobDeps,
  lease: Lease,
  { wait_ms, progress }: { wait_ms: number; progress: number },
): Promise<void> {
  const now = deps.clock.now();
  const wake_at = new Date(now.getTime() + wait_ms);
  await deps.db.transaction(async (tx) => {
    const [row] = await tx
      .update(generations)
      .set({
        lease_owner: null,
        lease_expires_at: new Date(wake_at.getTime() + OVERDUE_MS),
        progress,
        attempts: sql`${generations.attempts} - 1`,
        updated_at: now,
      })
      .where(leaseCondition(lease))
      .returning();
    if (row) await sendGenerationJob(deps, tx, row, wake_at);
  });
}

/**
 * Takes back what workers that are gone have left, and wakes another for it.
 * @param alone no other process runs anything: every lease is one of a process that is gone
 * @returns how many
 */
export async function reclaimExpiredLeases(
  deps: Pick<Deps, 'db' | 'clock'> & GenerationJobDeps,
  alone = false,
): Promise<number> {
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
