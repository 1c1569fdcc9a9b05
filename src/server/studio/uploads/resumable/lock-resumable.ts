import type { Db } from '#server/platform/db/db.ts';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { and, eq, isNotNull, isNull, lt, or } from 'drizzle-orm';
import { resumableUploads } from '#server/platform/db/schema/upload-schema.ts';
import type { Deps } from '#server/platform/deps.ts';
import { ApiError } from '#server/platform/core/api-error.ts';

export interface ResumableLock {
  owner: string;
  /** Aborted when another request wants or has acquired the lock. */
  signal: AbortSignal;
}

/** Shorter than `WAIT_MS`, so that waiting requests outlast the lease of a dead process. */
const LEASE_MS = 10_000;
const RENEW_EVERY_MS = 1_000;
const RETRY_EVERY_MS = 100;
const WAIT_MS = 15_000;

/**
 * Exclusive across processes. A new request asks the owner to release, because its connection may be dead.
 * @throws {ApiError} 503 if the lock is not released in time; 404 if the upload was deleted; what `work` throws
 */
export async function withResumableLock<T>(
  deps: Deps,
  id: string,
  work: (lock: ResumableLock) => Promise<T>,
): Promise<T> {
  const owner = randomUUID();
  await acquire(deps, id, owner);
  const released = new AbortController();
  let renewing: Promise<void> = Promise.resolve();
  const timer = setInterval(() => {
    renewing = renew(deps, id, owner).then(
      (isKept) => (isKept ? undefined : released.abort(lockLostError())),
      (error: unknown) => deps.log.warn({ err: error }, 'could not renew the lock of a resumable upload'),
    );
  }, RENEW_EVERY_MS).unref();
  try {
    return await work({ owner, signal: released.signal });
  } finally {
    clearInterval(timer);
    await renewing;
    await release(deps.db, id, owner).catch((error: unknown) =>
      deps.log.warn({ err: error }, 'could not release the lock of a resumable upload'),
    );
  }
}

const isLockedBy = (id: string, owner: string) =>
  and(eq(resumableUploads.id, id), eq(resumableUploads.lock_owner, owner));

async function acquire({ db, clock }: Deps, id: string, owner: string): Promise<void> {
  const giveUpMs = performance.now() + WAIT_MS;
  for (;;) {
    const now = clock.now();
    const free = or(isNull(resumableUploads.lock_owner), lt(resumableUploads.lock_expires_at, now));
    const [acquired] = await db
      .update(resumableUploads)
      .set({ lock_owner: owner, lock_expires_at: leaseExpiry(now), lock_wanted: false })
      .where(and(eq(resumableUploads.id, id), free))
      .returning({ id: resumableUploads.id });
    if (acquired) return;
    const [requested] = await db
      .update(resumableUploads)
      .set({ lock_wanted: true })
      .where(eq(resumableUploads.id, id))
      .returning({ id: resumableUploads.id });
    if (!requested) throw resumableNotFoundError();
    if (performance.now() > giveUpMs) {
      throw new ApiError(
        'service_unavailable',
        'Another request is still writing to this upload. Try again in a moment.',
        {
          retry_after_seconds: 2,
        },
      );
    }
    await sleep(RETRY_EVERY_MS);
  }
}

const leaseExpiry = (now: Date) => new Date(now.getTime() + LEASE_MS);

async function renew({ db, clock }: Deps, id: string, owner: string): Promise<boolean> {
  const [row] = await db
    .update(resumableUploads)
    .set({ lock_expires_at: leaseExpiry(clock.now()) })
    .where(isLockedBy(id, owner))
    .returning({ wanted: resumableUploads.lock_wanted });
  return row !== undefined && !row.wanted;
}

async function release(db: Db, id: string, owner: string): Promise<void> {
  await db
    .update(resumableUploads)
    .set({ lock_owner: null, lock_expires_at: null, lock_wanted: false })
    .where(isLockedBy(id, owner));
}

/** Call it at startup if no other process runs. */
export async function releaseAllLocks(db: Deps['db']): Promise<void> {
  await db
    .update(resumableUploads)
    .set({ lock_owner: null, lock_expires_at: null })
    .where(isNotNull(resumableUploads.lock_owner));
}

const lockLostError = () =>
  new ApiError('service_unavailable', 'Another request has taken over this upload.', { retry_after_seconds: 1 });

/** Also for uploads that expired or belong to others. */
export const resumableNotFoundError = () =>
  new ApiError('not_found', 'This upload does not exist or has expired. Start it again.');
