import { MEDIA_PATH } from '#contract/reference-url.ts';
import type { Deps } from '#server/platform/deps.ts';

const MEDIA_ID = /^(?:ast|upl)_[0-9a-hjkmnp-tv-z]{26}$/;

interface MediaLink {
  url: string;
  expires_at: string;
}

/** A link that lasts a day changes once an hour, so that polling returns the same URL and caches stay valid. */
const LINK_STEPS_PER_TTL = 24;

/**
 * Creates a signed link that lasts at least `MEDIA_LINK_TTL_SECONDS`.
 * @param id `ast_…` or `upl_…`
 * @param in_trash whether the link also works while the file is in the trash
 */
export function createMediaLink(
  { config, clock, secrets }: Pick<Deps, 'config' | 'clock' | 'secrets'>,
  id: string,
  { in_trash = false } = {},
): MediaLink {
  const ttlSeconds = config.mediaLinkTtlSeconds;
  const stepSeconds = Math.max(1, Math.floor(ttlSeconds / LINK_STEPS_PER_TTL));
  const nowSeconds = clock.now().getTime() / 1000;
  const expiresSeconds = Math.ceil(nowSeconds / stepSeconds) * stepSeconds + ttlSeconds;
  const signature = secrets.sign('media-link', mediaLinkText(id, String(expiresSeconds), in_trash));
  return {
    url: `${config.publicUrl}${MEDIA_PATH}${id}?expires=${expiresSeconds}&sig=${signature}${in_trash ? '&trash=1' : ''}`,
    expires_at: new Date(expiresSeconds * 1000).toISOString(),
  };
}

const mediaLinkText = (id: string, expires: string, in_trash: boolean) => `${id}.${expires}${in_trash ? '.trash' : ''}`;

export function verifyMediaLink(
  { clock, secrets }: Pick<Deps, 'clock' | 'secrets'>,
  { id, expires, sig, in_trash = false }: { id: string; expires: string; sig: string; in_trash?: boolean },
): boolean {
  if (!MEDIA_ID.test(id) || !/^\d{1,12}$/.test(expires)) return false;
  if (!secrets.verify('media-link', mediaLinkText(id, expires, in_trash), sig)) return false;
  return Number(expires) * 1000 > clock.now().getTime();
}

interface LocalMediaReference {
  /** `ast_…` or `upl_…` */
  id: string;
  /** The link is valid and so grants access without a key. An expired link still identifies its medium. */
  signed: boolean;
}

/** Parses a reference to this service's own media; null for any other URL. Decision: References to own media */
export function parseLocalMediaUrl(
  deps: Pick<Deps, 'config' | 'clock' | 'secrets'>,
  text: string,
): LocalMediaReference | null {
  if (!URL.canParse(text)) return null;
  const url = new URL(text);
  if (url.origin !== deps.config.publicUrl || !url.pathname.startsWith(MEDIA_PATH)) return null;
  const id = url.pathname.slice(MEDIA_PATH.length);
  if (!MEDIA_ID.test(id)) return null;
  const expires = url.searchParams.get('expires') ?? '';
  const sig = url.searchParams.get('sig') ?? '';
  return { id, signed: verifyMediaLink(deps, { id, expires, sig }) };
}
