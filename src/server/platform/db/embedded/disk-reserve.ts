import { randomBytes } from 'node:crypto';
import { open, rename, rm, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';

const MEBIBYTE = 1_048_576;
/** Below this, the embedded database only starts if its write-ahead log needs no new file. */
export const MIN_START_BYTES = 24 * MEBIBYTE;
export const RESERVE_BYTES = 64 * MEBIBYTE;

/** Not enough space to start; `message` is a sentence for the operator. */
export class DiskFullError extends Error {
  override readonly name = 'DiskFullError';
}

const reservePath = (dataDir: string): string => join(dataDir, 'reserve');

/**
 * Ensures space for the embedded database to start, which aborts on a full disk. Deletes the reserve file if necessary.
 * @returns a sentence for the operator if the reserve was deleted
 * @throws {DiskFullError} if there is still too little space
 */
export async function ensureStartSpace(dataDir: string): Promise<string | null> {
  if ((await readFreeBytes(dataDir)) >= MIN_START_BYTES) return null;
  await rm(reservePath(dataDir), { force: true });
  const freeBytes = await readFreeBytes(dataDir);
  if (freeBytes < MIN_START_BYTES) {
    throw new DiskFullError(
      `The disk of ${dataDir} is full: ${formatMegabytes(freeBytes)} MB are free and the embedded database needs ` +
        `${formatMegabytes(MIN_START_BYTES)} MB to start. Free at least ${formatMegabytes(MIN_START_BYTES - freeBytes)} MB there and start again.`,
    );
  }
  return (
    `The disk of ${dataDir} is full: the service used its reserve to start, and ${formatMegabytes(freeBytes)} MB are left. ` +
    `Free at least ${formatMegabytes(2 * RESERVE_BYTES)} MB soon: delete media in the library or files of other programs.`
  );
}

/** Creates the reserve file if it is missing and at least as much space stays free. @returns whether it exists */
export async function ensureDiskReserve(dataDir: string): Promise<boolean> {
  const file = reservePath(dataDir);
  const stats = await stat(file).catch(() => null);
  if (stats?.size === RESERVE_BYTES) return true;
  if ((await readFreeBytes(dataDir)) < 2 * RESERVE_BYTES) return false;
  const part = `${file}.part`;
  try {
    const handle = await open(part, 'w', 0o600);
    try {
      // Random, so that a file system with compression still allocates the space.
      const block = randomBytes(MEBIBYTE);
      for (let written = 0; written < RESERVE_BYTES; written += MEBIBYTE) await handle.write(block);
    } finally {
      await handle.close();
    }
    await rename(part, file);
    return true;
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  }
}

async function readFreeBytes(directory: string): Promise<number> {
  const { bavail, bsize } = await statfs(directory);
  return bavail * bsize;
}

const formatMegabytes = (bytes: number): string => Math.ceil(bytes / 1_000_000).toLocaleString('en-US');
