/** Own media are served below this path of the service. */
export const MEDIA_PATH = '/media/';

const HTTPS_URL_PATTERN = /^https:\/\/(\[[0-9a-f:.]+\]|[a-z0-9_](?:[a-z0-9._-]*[a-z0-9_.])?)(:443)?([/?#]|$)/i;
// A URL parser silently drops some of these, so the text itself is judged.
const UNSAFE_CHARACTER_PATTERN = /[\s\\\p{Cc}]/u;

/**
 * Why a text is not acceptable as a reference URL, as a sentence; null where it is.
 * Spec: Shared input types. Decision: References, References to own media
 * @param local_origin origin of a service run without TLS, whose own media links are accepted as well
 */
export function validateReferenceUrl(text: string, local_origin: string | null): string | null {
  if (text === '') return 'Give the address of a file.';
  if (UNSAFE_CHARACTER_PATTERN.test(text)) return 'The address has a blank or a backslash in it.';
  if (local_origin && text.startsWith(`${local_origin}${MEDIA_PATH}`) && URL.canParse(text)) return null;
  if (!/^https:\/\//i.test(text)) return 'The address must begin with https://.';
  const authority = text.slice('https://'.length).split(/[/?#]/)[0] ?? '';
  if (authority.includes('@')) return 'The address must not hold a user name or password.';
  if (/:(?!443$)\d*$/.test(authority.replace(/^\[.*\]/, ''))) return 'The address must use the standard port 443.';
  if (!HTTPS_URL_PATTERN.test(text) || !URL.canParse(text)) return 'This is not a valid web address.';
  return null;
}
