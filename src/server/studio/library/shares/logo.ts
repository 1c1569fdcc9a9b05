import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { eq } from 'drizzle-orm';
import type { BodyOf, ResponseOf } from '#contract/api/endpoints.ts';
import { recordAuditEvent } from '#server/accounts/audit/record-audit-event.ts';
import { ApiError } from '#server/platform/core/api-error.ts';
import type { Caller } from '#server/platform/core/caller.ts';
import { organizations } from '#server/platform/db/schema/organization-schema.ts';
import { organizationLogos } from '#server/platform/db/schema/share-schema.ts';
import type { Deps } from '#server/platform/deps.ts';
import { MediaError } from '#server/platform/media/media-error.ts';
import { shrinkImage } from '#server/platform/media/picture-jobs.ts';
import { probeFile } from '#server/platform/media/probe-file.ts';
import { mediaBusyError } from '#server/studio/assets/media-busy-error.ts';
import { deleteUnreferencedFiles } from '#server/studio/assets/orphans.ts';
import { withTempDir } from '#server/studio/assets/temp-dir.ts';

const MIME_TYPES = ['image/png', 'image/jpeg', 'image/webp'];
const WIDTH_PX = 512;
export const LOGO_MIME_TYPE = 'image/webp';

export async function readLogo({ db, storage }: Deps, organizationId: string): Promise<ResponseOf<'get_logo'>> {
  const [row] = await db.select().from(organizationLogos).where(eq(organizationLogos.organization_id, organizationId));
  const isStored = row !== undefined && (await storage.stat(row.storage_key)) !== null;
  const bytes = isStored ? await buffer(await storage.read(row.storage_key)) : null;
  return { object: 'logo', image: bytes && `data:${LOGO_MIME_TYPE};base64,${bytes.toString('base64')}` };
}

/**
 * Stores what the picture process makes of an image, never its own bytes.
 * @throws {ApiError} 400 `invalid_request` for anything but a PNG, JPEG or WebP; {StorageError}
 */
export async function setLogo(
  deps: Deps,
  caller: Caller,
  { image }: BodyOf<'set_logo'>,
): Promise<ResponseOf<'set_logo'>> {
  const { organization_id } = caller;
  const stored = image === null ? null : await storeLogo(deps, caller, Buffer.from(image, 'base64'));
  const now = deps.clock.now();
  const previous = await deps.db.transaction(async (tx) => {
    // Serializes changes.
    await tx.select().from(organizations).where(eq(organizations.id, organization_id)).for('no key update');
    const isOwn = eq(organizationLogos.organization_id, organization_id);
    const [before] = await tx.delete(organizationLogos).where(isOwn).returning();
    if (stored) await tx.insert(organizationLogos).values({ organization_id, ...stored, created_at: now });
    if (!stored && !before) return undefined;
    const logo = { sha256: (stored ?? before)?.sha256 };
    const change = stored ? { after: { logo } } : { before: { logo } };
    await recordAuditEvent(tx, caller, { action: 'settings.changed', target: { type: 'settings' }, ...change }, now);
    return before;
  });
  if (previous) await deleteUnreferencedFiles(deps, [previous.storage_key]);
  return readLogo(deps, organization_id);
}

const storeLogo = ({ config, media, storage }: Deps, { organization_id, key_id }: Caller, bytes: Buffer) =>
  withTempDir(config.mediaDir, async (folder) => {
    const [file, small] = [join(folder, 'original'), join(folder, 'logo.webp')];
    await writeFile(file, bytes);
    try {
      const options = { owner: key_id, isRequest: true };
      const { mime_type } = await probeFile(media, file, options);
      if (!MIME_TYPES.includes(mime_type))
        throw new ApiError('invalid_request', 'The logo must be a PNG, JPEG or WebP. Nothing was changed.');
      await shrinkImage(media, file, { file: small, width: WIDTH_PX }, options);
    } catch (error) {
      if (!(error instanceof MediaError)) throw error;
      if (error.code === 'busy') throw mediaBusyError(error);
      throw new ApiError('invalid_request', `${error.message} Nothing was changed.`, { cause: error });
    }
    const storageKey = `logos/${organization_id}-${randomUUID()}.webp`;
    return { storage_key: storageKey, ...(await storage.put(storageKey, { file: small })) };
  });
