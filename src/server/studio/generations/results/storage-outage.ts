import type { Deps } from '#server/platform/deps.ts';
import { StorageError } from '#server/platform/storage/storage.ts';
import { type Lease, suspendGeneration } from '#server/studio/generations/generation-lease.ts';

/** From the first failure on. Decision: Storage outages */
export const OUTAGE_LIMIT_MS = 15 * 60_000;
const MIN_WAIT_MS = 5_000;
const MAX_WAIT_MS = 60_000;
const TRIES_PER_AGE = 4;
/** The process that has the result tries first, others only if it is gone. */
const OTHERS_WAIT_MS = 15_000;

export const isStorageUnavailable = (error: unknown): boolean =>
  error instanceof StorageError && error.code === 'unavailable';

/** Whether this attempt was the last one: it started after the limit. */
export const isOutageTooLong = ({ row: { storage_failed_at, updated_at } }: Lease): boolean =>
  storage_failed_at !== null && updated_at.getTime() - storage_failed_at.getTime() >= OUTAGE_LIMIT_MS;

/**
 * Releases a generation whose media can't be read or stored now, to be tried again later. Its funds stay reserved.
 * @param options.atOnce for a process that shuts down: storage itself has not failed
 */
export async function suspendForStorage(
  deps: Deps,
  lease: Lease,
  progress: number,
  { atOnce = false } = {},
): Promise<void> {
  if (atOnce) return suspendGeneration(deps, lease, { waitMs: 0, progress });
  const now = deps.clock.now();
  const storageFailedAt = lease.row.storage_failed_at ?? now;
  const ageMs = now.getTime() - storageFailedAt.getTime();
  const waitMs = Math.min(Math.max(ageMs / TRIES_PER_AGE, MIN_WAIT_MS), MAX_WAIT_MS);
  deps.log.warn({ generation_id: lease.row.id, wait_ms: waitMs }, 'media storage unavailable; trying again later');
  await suspendGeneration(deps, lease, {
    waitMs,
    progress,
    storage_failed_at: storageFailedAt,
    jobWaitMs: waitMs + OTHERS_WAIT_MS,
  });
}
