import { mkdir, mkdtemp, rmdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { ConfigError } from './config-error.ts';
import { hasErrorCode } from '#server/platform/core/has-error-code.ts';
import type { VariableName } from './variables.ts';

/** Creates the directory that a variable names, unless it exists, and tries to write in it. @throws {ConfigError} */
export async function prepareDirectory(variable: VariableName, path: string): Promise<void> {
  try {
    await createDirectory(path);
    await rmdir(await mkdtemp(join(path, '.start-')));
  } catch (error) {
    // A full disk is reported by what needs the space.
    if (!hasErrorCode(error, 'ENOSPC', 'EDQUOT')) throw directoryError(variable, path, error);
  }
}

/** Node's own recursive mkdir never returns below a directory such as /proc. */
export async function createDirectory(path: string): Promise<void> {
  try {
    await mkdir(path);
  } catch (error) {
    if (hasErrorCode(error, 'EEXIST') && (await stat(path)).isDirectory()) return;
    if (!hasErrorCode(error, 'ENOENT') || dirname(path) === path) throw error;
    await createDirectory(dirname(path));
    await mkdir(path);
  }
}

const REASONS: Readonly<Record<string, string>> = {
  EEXIST: 'is a file: name a folder',
  ENOTDIR: 'is below a file: name a folder',
  EACCES: 'can’t be used: the user of this process has no permission to write there',
  EPERM: 'can’t be used: the user of this process has no permission to write there',
  EROFS: 'is on a read-only file system',
  ENOENT: 'can’t be created there',
  ENAMETOOLONG: 'is too long',
  ELOOP: 'is a symbolic link that leads to itself',
};

/** Converts an error of the system at or below the directory that a variable names. */
export function directoryError(variable: VariableName, path: string, error: unknown): unknown {
  if (!(error instanceof Error && 'code' in error && typeof error.code === 'string')) return error;
  const reason = REASONS[error.code] ?? `can’t be used: ${error.message}`;
  return new ConfigError(`${variable} ${path} ${reason}.`, { cause: error });
}
