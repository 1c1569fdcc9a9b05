import { and, eq, inArray, isNotNull, isNull, sql } from 'drizzle-orm';
import { assetCredentials } from '#server/platform/db/schema/credential-schema.ts';
import type { Db } from '#server/platform/db/db.ts';
import { assets } from '#server/platform/db/schema/schema.ts';
import { isStored } from './find-stored-media.ts';

export const SIDECAR_MIME_TYPE = 'application/c2pa';

/**
 * Reads the manifest beside the file of an asset; null if it has none. The caller checks access.
 * @param in_trash also of an asset in the trash
 */
export async function readSidecar(db: Db, assetId: string, { in_trash = false } = {}): Promise<Buffer | null> {
  const [row] = await db
    .select({ sidecar: assetCredentials.sidecar })
    .from(assetCredentials)
    .innerJoin(assets, eq(assets.id, assetCredentials.asset_id))
    .where(and(eq(assets.id, assetId), in_trash ? isStored(assets) : isNull(assets.removed_at)));
  return row?.sidecar ? Buffer.from(row.sidecar, 'base64') : null;
}

/** The sizes of the manifests beside files, by id of the asset. */
export async function findSidecarBytes(db: Db, mediaIds: readonly string[]): Promise<ReadonlyMap<string, number>> {
  if (mediaIds.length === 0) return new Map();
  const { asset_id, sidecar } = assetCredentials;
  const rows = await db
    .select({ asset_id, size_bytes: sql<number>`octet_length(decode(${sidecar}, 'base64'))`.mapWith(Number) })
    .from(assetCredentials)
    .where(and(inArray(asset_id, [...mediaIds]), isNotNull(sidecar)));
  return new Map(rows.map((row) => [row.asset_id, row.size_bytes]));
}

/** Deletes the manifests beside files that are deleted for good. */
export async function deleteSidecars(db: Db, storageKeys: readonly string[]): Promise<void> {
  if (storageKeys.length === 0) return;
  const gone = db
    .select({ id: assets.id })
    .from(assets)
    .where(inArray(assets.storage_key, [...storageKeys]));
  await db
    .update(assetCredentials)
    .set({ sidecar: null })
    .where(and(inArray(assetCredentials.asset_id, gone), isNotNull(assetCredentials.sidecar)));
}
