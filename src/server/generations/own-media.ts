import { MEDIA_PATH } from '#contract/reference-url.ts';
import type { Deps } from '../deps.ts';
import { readOwnReference } from '../media-links.ts';
import { type Medium, findMedium } from '../uploads/find-media.ts';

export const GONE_MESSAGE = 'This file is no longer here. Choose or upload another one.';

/** A URL leads elsewhere, or to this service's own media: one of them, or none that the organization has. */
export type Lookup = { own: false } | { own: true; medium: Medium | null };

/**
 * Looks a reference up among the organization's own media. The id decides, so a link that expired still names its
 * medium; one that is gone and one of another organization look alike. Decision: Reference URLs of this service
 * @param even_removed see `findMedium`
 */
export async function findOwnMedium(
  deps: Pick<Deps, 'config' | 'clock' | 'secrets' | 'db'>,
  organization_id: string,
  text: string,
  { even_removed = false } = {},
): Promise<Lookup> {
  if (!isOwnAddress(deps.config, text)) return { own: false };
  const reference = readOwnReference(deps, text);
  const medium = reference && (await findMedium(deps.db, reference.id, { even_removed }));
  return { own: true, medium: medium?.organization_id === organization_id ? medium : null };
}

/** Below the media path of this service; such an address is never fetched over the network. */
function isOwnAddress({ public_url }: Pick<Deps['config'], 'public_url'>, text: string): boolean {
  if (!URL.canParse(text)) return false;
  const url = new URL(text);
  return url.origin === public_url && url.pathname.startsWith(MEDIA_PATH);
}
