import { OutboundError } from './outbound-error.ts';

const BLANK = /[\s\\\p{Cc}]/u;
const AUTHORITY = /^(?:[a-z][a-z0-9+.-]*:)?\/\/([^/?#]*)/i;

/**
 * Parses a URL and validates its text too, because a parser normalizes `https://0x7f.1`, `https://１２７.1` and
 * `https://@host` to something else.
 * @param ports null allows any port
 * @param base for the URL of a redirect
 * @throws {OutboundError} `invalid_url`, `blocked`
 */
export function validatePublicUrl(text: string, ports: readonly number[] | null, base?: URL): URL {
  if (BLANK.test(text) || !URL.canParse(text, base?.href)) throw invalidUrlError();
  const url = new URL(text, base?.href);
  if (url.protocol !== 'https:') throw new OutboundError('blocked', 'The URL must start with https://.');
  if (url.username !== '' || url.password !== '') {
    throw new OutboundError('invalid_url', 'The URL must not contain a user name or password.');
  }
  if (url.hostname === '') throw invalidUrlError();
  const authority = AUTHORITY.exec(text)?.[1];
  if (authority !== undefined && !isUnambiguous(authority, url.hostname)) throw invalidUrlError();
  const port = url.port === '' ? 443 : Number(url.port);
  if (ports !== null && !ports.includes(port)) {
    throw new OutboundError('blocked', 'The URL must use port 443.');
  }
  return url;
}

/** Whether the written host equals the parsed host; an IPv6 address can be written in several ways. */
function isUnambiguous(authority: string, hostname: string): boolean {
  if (authority.startsWith('[')) return hostname.startsWith('[') && !authority.includes('@');
  return authority.replace(/:\d+$/, '').toLowerCase() === hostname;
}

const invalidUrlError = (): OutboundError => new OutboundError('invalid_url', 'This is not a valid URL.');
