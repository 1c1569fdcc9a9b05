import type { Deps } from '#server/deps.ts';
import { lockMedia, removeUploads } from '#server/assets/lock-media.ts';
import { deleteUnreferencedFiles } from '#server/assets/orphans.ts';

/** Its bytes stay while a generation or another upload uses them. @returns whether the upload existed */
export async function deleteUpload(
  deps: Pick<Deps, 'db' | 'storage' | 'log' | 'clock'>,
  organization_id: string,
  id: string,
): Promise<boolean> {
  const removed = await deps.db.transaction(async (tx) => {
    const locked = await lockMedia(tx, organization_id, id.startsWith('upl_') ? [id] : [], 'update');
    await removeUploads(tx, locked, deps.clock.now());
    return locked;
  });
  const [upload] = removed;
  if (!upload) return false;
  await deleteUnreferencedFiles(deps, [upload.storage_key]);
  return true;
}
