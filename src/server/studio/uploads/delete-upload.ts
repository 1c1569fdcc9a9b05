import { type AuditActor, recordAuditEvent } from '#server/accounts/audit/record-audit-event.ts';
import type { Deps } from '#server/platform/deps.ts';
import { findAwaitedMedia } from '#server/studio/assets/awaited-media.ts';
import { ApiError } from '#server/platform/core/api-error.ts';
import { lockMedia, removeMedia } from '#server/studio/assets/lock-media.ts';
import { deleteUnreferencedFiles } from '#server/studio/assets/orphans.ts';

/**
 * Its bytes stay while a generation or another upload uses them. @returns whether the upload existed
 * @throws {ApiError} 409 `media_in_use` while an order that waits for an approval needs it
 */
export async function deleteUpload(deps: Deps, actor: AuditActor, id: string): Promise<boolean> {
  const removed = await deps.db.transaction(async (tx) => {
    const locked = await lockMedia(tx, actor.organization_id, id.startsWith('upl_') ? [id] : [], 'update');
    if ((await findAwaitedMedia(tx, actor.organization_id, [id])).size > 0)
      throw new ApiError('media_in_use', 'An order that waits for an approval needs this file. Cancel it first.');
    const now = deps.clock.now();
    await removeMedia(tx, locked, now);
    for (const { type, size_bytes } of locked) {
      const change = {
        action: 'upload.deleted',
        target: { type: 'upload', id },
        before: { type, size_bytes },
      } as const;
      await recordAuditEvent(tx, actor, change, now);
    }
    return locked;
  });
  const [upload] = removed;
  if (!upload) return false;
  await deleteUnreferencedFiles(deps, [upload.storage_key]);
  return true;
}
