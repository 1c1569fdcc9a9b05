import { MEDIA_PATH } from '#contract/reference-url.ts';
import type { Deps } from '#server/platform/deps.ts';

const MEDIA_ID = /^(?:ast|upl)_[0-9a-hjkmnp-tv-z]{26}$/;
/** Also of received files, which are no media: no input can refer to them. */
const LINKED_ID = /^(?:ast|upl|fil)_[0-9a-hjkmnp-tv-z]{26}$/;
/** Of a manifest of content credentials beside a file. */
export const SIDECAR_EXTENSION = '.c2pa';

interface MediaLink {
  url: string;
  expires_at: string;
}

type LinkDeps = Pick<Deps, 'config' | 'clock' | 'secrets'>;

interface LinkOptions {
  /** Whether the link also works while the file is in the trash. */
  in_trash?: boolean;
  /** Unix time; by default in `MEDIA_LINK_TTL_SECONDS` or a little later. */
  expiresSeconds?: number;
}

/**
 * Creates a signed link to a file.
 * @param id `ast_…`, `upl_…` or `fil_…`
 */
export const createMediaLink = (deps: LinkDeps, id: string, options?: LinkOptions): MediaLink =>
  createLink(deps, id, options);

/** Creates a signed link to the manifest beside the file of an asset. Neither link opens what the other does. */
export const createSidecarLink = (deps: LinkDeps, id: string, options?: LinkOptions): MediaLink =>
  createLink(deps, `${id}${SIDECAR_EXTENSION}`, options);

function createLink(
  deps: LinkDeps,
  name: string,
  { in_trash = false, expiresSeconds = nextExpirySeconds(deps) }: LinkOptions = {},
): MediaLink {
  const signature = deps.secrets.sign('media-link', mediaLinkText(name, String(expiresSeconds), in_trash));
  return {
    url: `${deps.config.publicUrl}${MEDIA_PATH}${name}?expires=${expiresSeconds}&sig=${signature}${in_trash ? '&trash=1' : ''}`,
    expires_at: new Date(expiresSeconds * 1000).toISOString(),
  };
}

/** A link that lasts a day changes once an hour, so that polling returns the same URL and caches stay valid. */
const LINK_STEPS_PER_TTL = 24;

function nextExpirySeconds({ config, clock }: LinkDeps): number {
  const ttlSeconds = config.mediaLinkTtlSeconds;
  const stepSeconds = Math.max(1, Math.floor(ttlSeconds / LINK_STEPS_PER_TTL));
  const nowSeconds = clock.now().getTime() / 1000;
  return Math.ceil(nowSeconds / stepSeconds) * stepSeconds + ttlSeconds;
}

const mediaLinkText = (name: string, expires: string, inTrash: boolean) =>
  `${name}.${expires}${inTrash ? '.trash' : ''}`;

interface LinkParts {
  id: string;
  expires: string;
  sig: string;
  in_trash?: boolean;
}

export const verifyMediaLink = (deps: Pick<Deps, 'clock' | 'secrets'>, link: LinkParts): boolean =>
  LINKED_ID.test(link.id) && verifyLink(deps, link.id, link);

export const verifySidecarLink = (deps: Pick<Deps, 'clock' | 'secrets'>, link: LinkParts): boolean =>
  MEDIA_ID.test(link.id) && verifyLink(deps, `${link.id}${SIDECAR_EXTENSION}`, link);

function verifyLink(
  { clock, secrets }: Pick<Deps, 'clock' | 'secrets'>,
  name: string,
  { expires, sig, in_trash = false }: LinkParts,
): boolean {
  if (!/^\d{1,12}$/.test(expires)) return false;
  if (!secrets.verify('media-link', mediaLinkText(name, expires, in_trash), sig)) return false;
  return Number(expires) * 1000 > clock.now().getTime();
}

interface LocalMediaReference {
  /** `ast_…` or `upl_…` */
  id: string;
  /** The link is valid and so grants access without a key. An expired link still identifies its medium. */
  signed: boolean;
}

/** Parses a reference to this service's own media; null for any other URL. Decision: References to own media */
export function parseLocalMediaUrl(deps: LinkDeps, text: string): LocalMediaReference | null {
  if (!URL.canParse(text)) return null;
  const url = new URL(text);
  if (url.origin !== deps.config.publicUrl || !url.pathname.startsWith(MEDIA_PATH)) return null;
  const id = url.pathname.slice(MEDIA_PATH.length);
  if (!MEDIA_ID.test(id)) return null;
  const expires = url.searchParams.get('expires') ?? '';
  const sig = url.searchParams.get('sig') ?? '';
  return { id, signed: verifyMediaLink(deps, { id, expires, sig }) };
}
