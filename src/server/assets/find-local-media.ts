import { MEDIA_PATH } from '#contract/reference-url.ts';
import type { Deps } from '#server/deps.ts';
import { parseLocalMediaUrl } from './media-links.ts';
import { type StoredMedia, findStoredMedia } from './find-stored-media.ts';

export const MEDIA_GONE_MESSAGE = 'This file was deleted or does not exist. Choose another file or upload it again.';

/** `own: false`: an external URL. `medium: null`: a URL of this service without a medium of the organization. */
type LocalMediaLookup = { own: false } | { own: true; medium: StoredMedia | null };

/**
 * Looks up a reference among the organization's own media. The id decides, so an expired link still works; a deleted
 * medium and one of another organization look alike. Decision: References to own media
 * @param even_removed see `findStoredMedia`
 */
export async function findLocalMedia(
  deps: Pick<Deps, 'config' | 'clock' | 'secrets' | 'db'>,
  organization_id: string,
  text: string,
  { even_removed = false } = {},
): Promise<LocalMediaLookup> {
  if (!isLocalMediaUrl(deps.config, text)) return { own: false };
  const reference = parseLocalMediaUrl(deps, text);
  const medium = reference && (await findStoredMedia(deps.db, reference.id, { even_removed }));
  return { own: true, medium: medium?.organization_id === organization_id ? medium : null };
}

/** A URL below the media path of this service is never fetched over the network. */
function isLocalMediaUrl({ public_url }: Pick<Deps['config'], 'public_url'>, text: string): boolean {
  if (!URL.canParse(text)) return false;
  const url = new URL(text);
  return url.origin === public_url && url.pathname.startsWith(MEDIA_PATH);
}
