import { eq } from 'drizzle-orm';
import type { ResponseOf } from '#contract/api/endpoints.ts';
import { assetCredentials } from '#server/platform/db/schema/credential-schema.ts';
import { assets, generations } from '#server/platform/db/schema/schema.ts';
import type { Deps } from '#server/platform/deps.ts';
import { MediaError } from '#server/platform/media/media-error.ts';
import { mediaBusyError } from '#server/studio/assets/media-busy-error.ts';
import { createSidecarLink } from '#server/studio/assets/media-links.ts';
import { inspectStored } from '#server/studio/credentials/inspect-stored.ts';
import { hashRecord } from '#server/studio/credentials/record-hash.ts';
import { findMediaRow } from './read-media.ts';

/**
 * Checks the stored file of a medium of an organization.
 * @throws {ApiError} 404 `not_found`, 503 `service_unavailable`; {StorageError}
 */
export async function readMediaCredentials(
  deps: Deps,
  organizationId: string,
  mediaId: string,
  signal: AbortSignal,
): Promise<ResponseOf<'get_media_credentials'>> {
  const medium = await findMediaRow(deps.db, organizationId, mediaId);
  const options = { owner: organizationId, isRequest: true, signal };
  const { report, record_hash } = await inspectStored(deps, medium, options).catch((error: unknown) => {
    throw error instanceof MediaError && error.code === 'busy' ? mediaBusyError(error) : error;
  });
  const [signed] = await deps.db
    .select({ credentials: assetCredentials, generation: generations })
    .from(assetCredentials)
    .innerJoin(assets, eq(assets.id, assetCredentials.asset_id))
    .innerJoin(generations, eq(generations.id, assets.generation_id))
    .where(eq(assetCredentials.asset_id, mediaId));
  const isUnknown = report.state === 'none' || report.state === 'too_complex';
  const { place = isUnknown ? 'none' : 'embedded', sidecar = null } = signed?.credentials ?? {};
  return {
    object: 'media_credentials',
    media_id: mediaId,
    place,
    sidecar_url: sidecar === null ? null : createSidecarLink(deps, mediaId).url,
    report,
    record_matches:
      signed && record_hash !== null
        ? record_hash === hashRecord(signed.generation, signed.credentials.record_salt)
        : null,
  };
}
