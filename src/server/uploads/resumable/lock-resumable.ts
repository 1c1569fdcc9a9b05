import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { and, eq, isNotNull, isNull, lt, or } from 'drizzle-orm';
import { resumableUploads } from '#server/db/upload-schema.ts';
import type { Deps } from '#server/deps.ts';
import { ApiError } from '#server/core/api-error.ts';

type LockDeps = Pick<Deps, 'db' | 'clock' | 'log'>;

export interface ResumableLock {
  owner: string;
  /** Aborted when another request wants the upload, or got it. */
  signal: AbortSignal;
}

/** Of a process that died; shorter than others wait. */
const LEASE_MS = 10_000;
const RENEW_EVERY_MS = 1_000;
const RETRY_EVERY_MS = 100;
const WAIT_MS = 15_000;

/**
 * Has one request at a time work on a resumable upload, in whatever process. A connection may be dead without anybody
 * knowing, so a request that comes asks the one that holds the upload to let go.
 * @throws {ApiError} 503 where that takes too long; 404 where the upload went meanwhile; what `work` throws
 */
export async function withResumableLock<T>(
  deps: LockDeps,
  id: string,
  work: (held: ResumableLock) => Promise<T>,
): Promise<T> {
  const owner = randomUUID();
  await acquire(deps, id, owner);
  const released = new AbortController();
  let renewing: Promise<void> = Promise.resolve();
  const timer = setInterval(() => {
    renewing = renew(deps, id, owner).then(
      (keep) => (keep ? undefined : released.abort(lockLostError())),
      (error: unknown) => deps.log.warn({ err: error }, 'a resumable upload was not held on to'),
    );
  }, RENEW_EVERY_MS).unref();
  try {
    return await work({ owner, signal: released.signal });
  } finally {
    clearInterval(timer);
    await renewing;
    await release(deps, id, owner).catch((error: unknown) => deps.log.warn({ err: error }, 'still held'));
  }
}

const isLockedBy = (id: string, owner: string) =>
  and(eq(resumableUploads.id, id), eq(resumableUploads.lock_owner, owner));

async function acquire({ db, clock }: LockDeps, id: string, owner: string): Promise<void> {
  const give_up_ms = performance.now() + WAIT_MS;
  for (;;) {
    const now = clock.now();
    const free = or(isNull(resumableUploads.lock_owner), lt(resumableUploads.lock_expires_at, now));
    const [taken] = await db
      .update(resumableUploads)
      .set({ lock_owner: owner, lock_expires_at: leaseExpiry(now), lock_wanted: false })
      .where(and(eq(resumableUploads.id, id), free))
      .returning({ id: resumableUploads.id });
    if (taken) return;
    const [asked] = await db
      .update(resumableUploads)
      .set({ lock_wanted: true })
      .where(eq(resumableUploads.id, id))
      .returning({ id: resumableUploads.id });
    if (!asked) throw resumableNotFoundError();
    if (performance.now() > give_up_ms) {
      throw new ApiError('service_unavailable', 'Another request is still at work on this upload. Try again.', {
        retry_after_seconds: 2,
      });
    }
    await sleep(RETRY_EVERY_MS);
  }
}

const leaseExpiry = (now: Date) => new Date(now.getTime() + LEASE_MS);

/** @returns whether to go on */
async function renew({ db, clock }: LockDeps, id: string, owner: string): Promise<boolean> {
  const [row] = await db
    .update(resumableUploads)
    .set({ lock_expires_at: leaseExpiry(clock.now()) })
    .where(isLockedBy(id, owner))
    .returning({ wanted: resumableUploads.lock_wanted });
  return row !== undefined && !row.wanted;
}

async function release({ db }: LockDeps, id: string, owner: string): Promise<void> {
  await db
    .update(resumableUploads)
    .set({ lock_owner: null, lock_expires_at: null, lock_wanted: false })
    .where(isLockedBy(id, owner));
}

/** For a start after which nobody else can hold any. */
export async function releaseAllLocks(db: Deps['db']): Promise<void> {
  await db
    .update(resumableUploads)
    .set({ lock_owner: null, lock_expires_at: null })
    .where(isNotNull(resumableUploads.lock_owner));
}

const lockLostError = () =>
  new ApiError('service_unavailable', 'Another request continues this upload.', { retry_after_seconds: 1 });

/** Also of one that expired, or that is somebody else's. */
export const resumableNotFoundError = () =>
  new ApiError('not_found', 'There is no such upload; it may have expired. Start it again.');
