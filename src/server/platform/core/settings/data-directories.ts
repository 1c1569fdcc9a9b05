import { chmod, lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from 'pino';
import type { Config } from './config.ts';
import { prepareDirectory } from './prepare-directory.ts';

const OTHER_USERS_MASK = 0o077;
/** Directories of the service in `MEDIA_DIR`, which may also contain foreign files. */
const MEDIA_SUBDIRECTORIES = ['media', 'tmp', 'scratch', 'spool'];

/**
 * Creates the data directories for the service's user alone and removes access of other users to what is in them. From
 * here on this process creates no file that others can read.
 * @throws {ConfigError}
 */
export async function openDataDirectories(
  { dataDir, mediaDir }: Pick<Config, 'dataDir' | 'mediaDir'>,
  log: Pick<Logger, 'warn'>,
): Promise<void> {
  process.umask(OTHER_USERS_MASK);
  await prepareDirectory('DATA_DIR', dataDir);
  if (mediaDir !== dataDir) await prepareDirectory('MEDIA_DIR', mediaDir);
  const parts = dataDir === mediaDir ? [] : MEDIA_SUBDIRECTORIES.map((name) => join(mediaDir, name));
  await restrictPaths([dataDir, ...(await listChildren(dataDir)), ...parts], log);
}

export async function restrictTree(directory: string, log: Pick<Logger, 'warn'>): Promise<void> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  await restrictPaths([directory, ...entries.map(({ parentPath, name }) => join(parentPath, name))], log);
}

const listChildren = async (directory: string): Promise<string[]> =>
  (await readdir(directory)).map((name) => join(directory, name));

async function restrictPaths(paths: readonly string[], log: Pick<Logger, 'warn'>): Promise<void> {
  const unrestricted: string[] = [];
  let cause: unknown;
  for (const path of paths) {
    try {
      await restrictPath(path);
    } catch (error) {
      cause ??= error;
      unrestricted.push(path);
    }
  }
  if (unrestricted.length === 0) return;
  log.warn(
    { err: cause, paths: unrestricted.slice(0, 10) },
    'other users of this machine may be able to read these files',
  );
}

async function restrictPath(path: string): Promise<void> {
  const stats = await lstat(path).catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  });
  // Symbolic links have no permissions of their own, and their targets are the operator's choice.
  if (!stats || stats.isSymbolicLink() || (stats.mode & OTHER_USERS_MASK) === 0) return;
  await chmod(path, stats.mode & 0o700);
}
