import { sep } from 'node:path';
import type { Config } from '#server/platform/core/settings/config.ts';
import { ConfigError } from '#server/platform/core/settings/config-error.ts';
import { directoryError } from '#server/platform/core/settings/prepare-directory.ts';
import { DiskFullError } from '#server/platform/db/embedded/disk-reserve.ts';
import { FolderLockedError } from '#server/platform/db/embedded/lock-folder.ts';
import { FolderVersionError } from '#server/platform/db/open-database.ts';
import { NewerDatabaseError } from '#server/platform/db/pending-migrations.ts';
import { StorageError } from '#server/platform/storage/storage.ts';

/** Errors whose message is a sentence for the operator. Each step of the start throws one that names its variable. */
const PLAIN_ERRORS = [
  ConfigError,
  DiskFullError,
  FolderLockedError,
  FolderVersionError,
  NewerDatabaseError,
  StorageError,
];

/** Setup errors are printed as a sentence; any other error with its stack. */
export function startErrorMessage(error: unknown, config: Pick<Config, 'dataDir' | 'mediaDir'> | null): string {
  if (!(error instanceof Error)) return String(error);
  const described = describeFileError(error, config);
  return PLAIN_ERRORS.some((kind) => described instanceof kind) ? described.message : (error.stack ?? error.message);
}

/** A file below a directory of the service that it may not read or write. */
function describeFileError(error: Error, config: Pick<Config, 'dataDir' | 'mediaDir'> | null): Error {
  if (!config || !('path' in error) || typeof error.path !== 'string') return error;
  const { path } = error;
  const places = [
    ['MEDIA_DIR', config.mediaDir],
    ['DATA_DIR', config.dataDir],
  ] as const;
  const place = places.find(([, directory]) => path.startsWith(`${directory}${sep}`));
  const described = place && directoryError(place[0], path, error);
  return described instanceof Error ? described : error;
}
