import { and, eq, isNull, sql } from 'drizzle-orm';
import type { MediaSource } from '#contract/resources/media.ts';
import type { Caller } from '#server/platform/core/caller.ts';
import type { Tx } from '#server/platform/db/db.ts';
import { uploads } from '#server/platform/db/schema/schema.ts';
import type { Deps } from '#server/platform/deps.ts';
import { rememberStored } from '#server/studio/assets/measured-files.ts';
import { enqueueDerivatives } from '#server/studio/assets/derivatives/enqueue-derivatives.ts';
import { indexMedia } from '#server/studio/assets/search-text.ts';
import { assertActiveKey } from '#server/accounts/keys/lock-key.ts';
import type { MediaFileInfo } from '#server/platform/media/probe-file.ts';
import { createId } from '#server/platform/core/create-id.ts';
import { deleteUnreferencedFiles } from '#server/studio/assets/orphans.ts';
import type { UploadRow } from './present-upload.ts';

interface ReceivedUpload {
  /** Promised before the file arrived; by default, a new one. */
  id?: string | undefined;
  file: string;
  filename: string | null;
  sha256: string;
  media: MediaFileInfo;
  source?: MediaSource;
}

type Owner = Pick<Caller, 'organization_id' | 'key_id'>;

/**
 * Shares bytes that the organization already has. Decision: Uploads
 * @param onInsert runs in the same transaction
 * @throws {ApiError} 401 if the key was revoked meanwhile; {StorageError}; what `onInsert` throws
 */
export async function storeUpload(
  deps: Deps,
  owner: Owner,
  received: ReceivedUpload,
  onInsert?: (tx: Tx, upload: UploadRow) => Promise<void>,
): Promise<UploadRow> {
  const now = deps.clock.now();
  const newId = createId('upl', now);
  const id = received.id ?? newId;
  const ownKey = `uploads/${newId}.${received.media.extension}`;
  let shared = await ensureSharedFile(deps, owner, received);
  let upload: UploadRow | null = null;
  let isStored = false;
  try {
    while (!upload) {
      if (!shared) {
        await deps.storage.put(ownKey, received);
        isStored = true;
      }
      upload = await deps.db.transaction(async (tx) => {
        const storageKey = (await lockSharedFile(tx, owner, received.sha256)) ?? (shared ? null : ownKey);
        if (storageKey === null) return null;
        const row = await insertUpload(deps, tx, owner, received, { id, storage_key: storageKey, now });
        await enqueueDerivatives(deps, tx, [row]);
        await onInsert?.(tx, row);
        await assertActiveKey(tx, owner.key_id);
        return row;
      });
      // The last upload that shared the bytes was deleted in the meantime: store them and try again.
      if (!upload) shared = false;
    }
    await rememberStored(deps.storage, upload.storage_key, received.media);
    return upload;
  } finally {
    if (isStored && upload?.storage_key !== ownKey) await deleteUnreferencedFiles(deps, [ownKey]);
  }
}

const sameContent = ({ organization_id }: Owner, sha256: string) =>
  and(eq(uploads.organization_id, organization_id), eq(uploads.sha256, sha256), isNull(uploads.removed_at));

/** Whether the organization already has these bytes. Restores them if the storage has lost them. */
async function ensureSharedFile({ db, storage }: Deps, owner: Owner, received: ReceivedUpload): Promise<boolean> {
  const [existing] = await db.select().from(uploads).where(sameContent(owner, received.sha256)).limit(1);
  if (!existing) return false;
  const stat = await storage.stat(existing.storage_key);
  if (stat?.size_bytes !== existing.size_bytes) await storage.put(existing.storage_key, received);
  return true;
}

/** The storage key of bytes that the organization has, locked until the transaction ends; null if it has none. */
async function lockSharedFile(tx: Tx, owner: Owner, sha256: string): Promise<string | null> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`${owner.organization_id} ${sha256}`}, 0))`);
  const [existing] = await tx
    .select({ storage_key: uploads.storage_key })
    .from(uploads)
    .where(sameContent(owner, sha256))
    .limit(1)
    .for('key share');
  return existing?.storage_key ?? null;
}

async function insertUpload(
  deps: Deps,
  tx: Tx,
  { organization_id, key_id }: Owner,
  { filename, sha256, media, source }: ReceivedUpload,
  { id, storage_key, now }: { id: string; storage_key: string; now: Date },
): Promise<UploadRow> {
  const [row] = await tx
    .insert(uploads)
    .values({
      id,
      organization_id,
      created_by: key_id,
      type: media.kind,
      mime_type: media.mime_type,
      filename,
      source: source ?? null,
      storage_key,
      size_bytes: media.size_bytes,
      sha256,
      width: media.width,
      height: media.height,
      duration_seconds: media.duration_seconds,
      created_at: now,
    })
    .returning();
  if (!row) throw new Error('The upload was not inserted.');
  await indexMedia(deps, tx, [{ id, generation_id: null }]);
  return row;
}
