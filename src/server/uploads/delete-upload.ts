import type { Deps } from '#server/deps.ts';
import { lockMedia } from '#server/assets/lock-media.ts';
import { deleteUnreferencedFiles } from '#server/assets/delete-unreferenced-files.ts';
import { removeUploads } from '#server/assets/remove-uploads.ts';

/**
 * Removes an upload; it is gone for everybody at once. Its bytes stay for a generation that needs them now, and for
 * other uploads of the same file.
 * @returns whether the organization had such an upload
 */
export async function deleteUpload(
  deps: Pick<Deps, 'db' | 'storage' | 'log' | 'clock'>,
  organization_id: string,
  id: string,
): Promise<boolean> {
  const removed = await deps.db.transaction(async (tx) => {
    const found = await lockMedia(tx, organization_id, id.startsWith('upl_') ? [id] : [], 'update');
    await removeUploads(tx, found, deps.clock.now());
    return found;
  });
  const [upload] = removed;
  if (!upload) return false;
  await deleteUnreferencedFiles(deps, [upload.storage_key]);
  return true;
}
