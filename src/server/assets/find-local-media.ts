import { MEDIA_PATH } from '#contract/reference-url.ts';
import type { Deps } from '#server/deps.ts';
import { parseLocalMediaUrl } from './media-links.ts';
import { type StoredMedia, findStoredMedia } from './find-stored-media.ts';

export const MEDIA_GONE_MESSAGE = 'This file is no longer here. Choose or upload another one.';

/** A URL leads elsewhere, or to this service's own media: one of them, or none that the organization has. */
export type LocalMediaLookup = { own: false } | { own: true; medium: StoredMedia | null };

/**
 * Looks a reference up among the organization's own media. The id decides, so a link that expired still names its
 * medium; one that is gone and one of another organization look alike. Decision: References to own media
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

/** Below the media path of this service; such an address is never fetched over the network. */
function isLocalMediaUrl({ public_url }: Pick<Deps['config'], 'public_url'>, text: string): boolean {
  if (!URL.canParse(text)) return false;
  const url = new URL(text);
  return url.origin === public_url && url.pathname.startsWith(MEDIA_PATH);
}
