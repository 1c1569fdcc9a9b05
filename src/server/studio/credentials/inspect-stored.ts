import { join } from 'node:path';
import { eq } from 'drizzle-orm';
import { assetCredentials } from '#server/platform/db/schema/credential-schema.ts';
import type { Deps } from '#server/platform/deps.ts';
import {
  type InspectedCredentials,
  inspectFile,
  type InspectOptions,
} from '#server/platform/media/credentials/inspect-file.ts';
import type { StoredMedia } from '#server/studio/assets/find-stored-media.ts';
import { withTempDir } from '#server/studio/assets/temp-dir.ts';

/** Checks the credentials of a stored file. @throws {MediaError} {StorageError}; the signal's reason when aborted */
export async function inspectStored(
  { config, db, media, signing, storage }: Deps,
  { id, mime_type, storage_key }: Pick<StoredMedia, 'id' | 'mime_type' | 'storage_key'>,
  options: InspectOptions,
): Promise<InspectedCredentials> {
  const [row] = await db
    .select({ sidecar: assetCredentials.sidecar })
    .from(assetCredentials)
    .where(eq(assetCredentials.asset_id, id));
  const sidecar = row?.sidecar ? Buffer.from(row.sidecar, 'base64') : undefined;
  const trust = await signing.trust();
  return withTempDir(config.mediaDir, async (folder) => {
    const file = join(folder, 'file');
    await storage.copyToFile(storage_key, file, { signal: options.signal });
    return inspectFile(media, { file, mime_type, sidecar }, trust, options);
  });
}
