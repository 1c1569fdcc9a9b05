import type { ReferenceCheck } from '#contract/resources/reference.ts';
import type { Caller } from '#server/platform/core/caller.ts';
import type { Deps } from '#server/platform/deps.ts';
import { findLocalMedia, MEDIA_GONE_MESSAGE } from '#server/studio/assets/find-stored-media.ts';
import { type ExternalFiles, rejectUrl } from './read-external-file.ts';

type CheckReferenceDeps = Deps & { externalFiles: ExternalFiles };

/**
 * Checks the file behind a reference URL as a generation would. Own media are looked up and not fetched.
 * @throws {ApiError} 400 if the file is unusable, 422 for a malformed URL, 429
 */
export async function checkReference(
  deps: CheckReferenceDeps,
  { organization_id, key_id }: Pick<Caller, 'organization_id' | 'key_id'>,
  url: string,
  signal: AbortSignal,
): Promise<ReferenceCheck> {
  await deps.externalFiles.admit(key_id, url);
  const local = await findLocalMedia(deps, organization_id, url);
  if (local.own) {
    if (!local.medium) rejectUrl(400, MEDIA_GONE_MESSAGE);
    const { type, mime_type, size_bytes, duration_seconds } = local.medium;
    const facts = { type, mime_type, size_bytes, width: null, height: null, duration_seconds };
    return { object: 'reference_check', url, ...facts };
  }
  return deps.externalFiles.read(url, { owner: key_id, signal }, async (_file, media) => {
    const { kind: type, mime_type, size_bytes, width, height, duration_seconds } = media;
    return { object: 'reference_check', url, type, mime_type, size_bytes, width, height, duration_seconds };
  });
}
