import { findOperatorId } from '#server/accounts/audit/find-operator-id.ts';
import type { Tx } from '#server/platform/db/db.ts';
import type { Deps } from '#server/platform/deps.ts';
import { type FreeSpace, readFreeSpace } from '#server/platform/storage/free-space.ts';
import { type AlertCause, organizationCause } from './alert-cause.ts';

const LABELS = { data: 'DATA_DIR', media: 'media' } as const satisfies Record<FreeSpace['directory'], string>;
const GIGABYTE = 1_000_000_000;

/** The disk that has less than twice of what uploads must leave, if there is one. Read it before a transaction. */
export async function findLowDisk(deps: Deps): Promise<FreeSpace | null> {
  const { minFreeBytes } = deps.config;
  if (minFreeBytes === 0) return null;
  const low = (await readFreeSpace(deps)).filter(({ bytes }) => bytes < 2 * minFreeBytes);
  return low.sort((one, other) => one.bytes - other.bytes)[0] ?? null;
}

/** Disks belong to the installation, so its first organization is alerted. */
export async function findDiskCauses(tx: Tx, organizationId: string, low: FreeSpace | null): Promise<AlertCause[]> {
  if (!low || (await findOperatorId(tx)) !== organizationId) return [];
  const free = (low.bytes / GIGABYTE).toFixed(2);
  const message = `${free} GB are free on the disk of ${LABELS[low.directory]}. Below MIN_FREE_BYTES uploads are refused, and a full disk stops all work. Free space soon.`;
  return [organizationCause('low_disk_space', null, message)];
}
