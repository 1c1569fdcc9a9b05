import type { MediaLengths } from '#contract/money/estimate.ts';
import type { Deps } from '#server/platform/deps.ts';
import type { ValidatedRequest } from '#server/models/catalog/validate-request.ts';
import { extractReferences } from '#contract/task-input.ts';
import { parseLocalMediaUrl } from './media-links.ts';
import { findStoredMedia } from './find-stored-media.ts';

/**
 * Lengths of the media that an input references by valid links of this service. The link grants access without a key.
 * Decision: References to own media
 */
export async function readLinkedMediaLengths(
  deps: Deps,
  { contract, input }: Pick<ValidatedRequest, 'contract' | 'input'>,
): Promise<MediaLengths> {
  const lengths: MediaLengths = {};
  for (const { path, url } of extractReferences(contract, input)) {
    if (path !== 'video' && path !== 'audio') continue;
    const own = parseLocalMediaUrl(deps, url);
    const medium = own?.signed ? await findStoredMedia(deps.db, own.id) : null;
    if (medium?.duration_seconds == null) continue;
    if (path === 'video') lengths.video_seconds = medium.duration_seconds;
    else lengths.audio_seconds = medium.duration_seconds;
  }
  return lengths;
}
