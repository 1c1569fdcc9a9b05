import type { FastifyReply } from 'fastify';
import type { Deps } from '#server/deps.ts';
import type { StoredMedia } from '#server/assets/find-stored-media.ts';
import { contentDisposition } from './content-disposition.ts';

const MIN_REDIRECT_BYTES = 262_144;
const LINK_STEP_MS = 15 * 60_000;
/** Long enough to watch a video to its end. */
const LINK_TTL_MS = 6 * 3_600_000;

interface StoreRedirect {
  url: string;
  kept_seconds: number;
}

/**
 * Returns a presigned link to the store, or null if the service sends the file itself. Small files are sent directly,
 * because a redirect would double the requests of a page of thumbnails.
 */
export async function createStoreRedirect(
  { storage, clock }: Pick<Deps, 'storage' | 'clock'>,
  medium: StoredMedia,
  { download, left_seconds }: { download: boolean; left_seconds: number },
): Promise<StoreRedirect | null> {
  if (!storage.link || medium.size_bytes < MIN_REDIRECT_BYTES || left_seconds < 1) return null;
  const now_ms = clock.now().getTime();
  // The link stays the same for a while, so that browsers can cache it.
  const signed_ms = Math.floor(now_ms / LINK_STEP_MS) * LINK_STEP_MS;
  const expires_ms = Math.min(signed_ms + LINK_TTL_MS, now_ms + left_seconds * 1000);
  const url = await storage.link(medium.storage_key, {
    mime_type: medium.mime_type,
    disposition: contentDisposition(medium, download),
    signed_at: new Date(signed_ms),
    expires_at: new Date(expires_ms),
  });
  return { url, kept_seconds: Math.floor(Math.min(LINK_STEP_MS, expires_ms - now_ms) / 1000) };
}

export function redirectToStore(reply: FastifyReply, { url, kept_seconds }: StoreRedirect): FastifyReply {
  return reply
    .headers({
      'cache-control': `private, max-age=${kept_seconds}`,
      'cross-origin-resource-policy': 'cross-origin',
    })
    .redirect(url, 302);
}
