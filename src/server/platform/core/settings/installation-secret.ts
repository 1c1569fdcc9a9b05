import { randomBytes, randomUUID } from 'node:crypto';
import { link, open, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { hasErrorCode } from '#server/platform/core/has-error-code.ts';

const secretPath = (dataDir: string): string => join(dataDir, 'secret.key');

/** Returns the secret in a data directory; null if it has none yet. */
export const readInstallationSecret = (dataDir: string): Promise<string | null> =>
  readFile(secretPath(dataDir), 'utf8').catch((error: unknown) => {
    if (hasErrorCode(error, 'ENOENT')) return null;
    throw error;
  });

/**
 * Returns the secret of this installation, created once in its data directory and readable by its owner alone. It is
 * written atomically: a full disk must not leave an empty file.
 */
export async function loadInstallationSecret(dataDir: string): Promise<string> {
  const path = secretPath(dataDir);
  const existing = await readInstallationSecret(dataDir);
  if (existing !== null) return existing;
  const part = `${path}.${randomUUID()}`;
  try {
    const file = await open(part, 'wx', 0o600);
    try {
      await file.writeFile(randomBytes(32).toString('base64url'));
      await file.sync();
    } finally {
      await file.close();
    }
    // Another process may have created it first. Some file systems have no hard links.
    await link(part, path).catch(async (error: unknown) => {
      if (!hasErrorCode(error, 'EEXIST')) await rename(part, path);
    });
  } finally {
    await rm(part, { force: true });
  }
  return readFile(path, 'utf8');
}
