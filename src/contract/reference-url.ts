/** Path below which a service serves its own media. */
export const MEDIA_PATH = '/media/';

const HTTPS_URL_PATTERN = /^https:\/\/(\[[0-9a-f:.]+\]|[a-z0-9_](?:[a-z0-9._-]*[a-z0-9_.])?)(:443)?([/?#]|$)/i;
// URL parsers silently drop some of these characters, so the raw text is checked.
const UNSAFE_CHARACTER_PATTERN = /[\s\\\p{Cc}]/u;

/** Whether the media links of a service at this origin are no reference URLs by themselves: without TLS, or at another port. */
export function needsOwnOrigin(origin: string): boolean {
  const { protocol, port } = new URL(origin);
  return protocol !== 'https:' || port !== '';
}

/**
 * Returns why a text is not accepted as a reference URL, as a sentence; null if it is accepted.
 * Spec: Shared input types. Decision: References, References to own media
 * @param localOrigin origin of a service for which `needsOwnOrigin`; its own media links are accepted too
 */
export function validateReferenceUrl(text: string, localOrigin: string | null): string | null {
  if (text === '') return 'Enter the URL of a file.';
  if (UNSAFE_CHARACTER_PATTERN.test(text)) return 'The URL contains a space or a backslash.';
  if (localOrigin && text.startsWith(`${localOrigin}${MEDIA_PATH}`) && URL.canParse(text)) return null;
  if (!/^https:\/\//i.test(text)) return 'The URL must start with https://.';
  const authority = text.slice('https://'.length).split(/[/?#]/)[0] ?? '';
  if (authority.includes('@')) return 'The URL must not contain a user name or password.';
  if (/:(?!443$)\d*$/.test(authority.replace(/^\[.*\]/, ''))) return 'The URL must use port 443.';
  if (!HTTPS_URL_PATTERN.test(text) || !URL.canParse(text)) return 'This is not a valid URL.';
  return null;
}
