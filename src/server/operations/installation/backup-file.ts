import { randomUUID } from 'node:crypto';
import { createWriteStream, existsSync } from 'node:fs';
import { link, rename, rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Writable } from 'node:stream';
import { hasErrorCode } from '#server/platform/core/has-error-code.ts';
import { syncPath } from '#server/platform/storage/durable-files.ts';
import { BackupError, type BackupManifest } from './backup-manifest.ts';
import { verifyBackup } from './read-backup.ts';

/**
 * Writes a backup beside its name, reads it again to verify it, and only then gives it the name.
 * @throws {BackupError} if the file exists
 */
export async function saveBackup(file: string, write: (out: Writable) => Promise<unknown>): Promise<BackupManifest> {
  const target = resolve(file);
  if (existsSync(target)) throw existsError(file);
  const part = `${target}.${randomUUID()}.part`;
  try {
    await write(createWriteStream(part, { flags: 'wx', mode: 0o600 }));
    await syncPath(part);
    const manifest = await verifyBackup(part);
    // A link is never made over another file. Some file systems have none.
    await link(part, target).catch(async (error: unknown) => {
      if (hasErrorCode(error, 'EEXIST')) throw existsError(file);
      await rename(part, target);
    });
    return manifest;
  } finally {
    await rm(part, { force: true });
  }
}

const existsError = (file: string) => new BackupError(`${file} exists already: choose another name.`);
