import ipaddr from 'ipaddr.js';
import { OutboundError } from './outbound-error.ts';

export interface AddressRules {
  /** @param address an IP address in any textual form */
  allows(address: string): boolean;
}

/** The host of a cloud provider's virtual machines, although its range is public. */
const BLOCKED_PUBLIC_ADDRESSES = ['168.63.129.16'];
/** IPv6 assigned for use on the internet; every other range is special, whatever a library calls it. */
const GLOBAL_IPV6 = ipaddr.IPv6.parseCIDR('2000::/3');

/**
 * @param options.allowPrivateNetworks CIDRs, for development and tests
 * @param options.refused_addresses public addresses of this service itself
 */
export function createAddressRules(
  options: { allowPrivateNetworks?: readonly string[]; refused_addresses?: readonly string[] } = {},
): AddressRules {
  const allowed = (options.allowPrivateNetworks ?? []).map((cidr) => ipaddr.parseCIDR(cidr));
  const refused = [...BLOCKED_PUBLIC_ADDRESSES, ...(options.refused_addresses ?? [])].map((address) =>
    ipaddr.process(address).toNormalizedString(),
  );
  return {
    allows(text) {
      if (text.includes('%') || !ipaddr.isValid(text)) return false;
      const address = ipaddr.process(text);
      if (allowed.some((cidr) => cidr[0].kind() === address.kind() && address.match(cidr))) return true;
      if (refused.includes(address.toNormalizedString())) return false;
      return address.range() === 'unicast' && (address instanceof ipaddr.IPv4 || isGlobalIpv6(address));
    },
  };
}

function isGlobalIpv6(address: ipaddr.IPv6): boolean {
  const [, , , , , marker] = address.parts;
  // ISATAP embeds an IPv4 address after `5efe`.
  return address.match(GLOBAL_IPV6) && marker !== 0x5efe;
}

const BLANK = /[\s\\\p{Cc}]/u;
const AUTHORITY = /^(?:[a-z][a-z0-9+.-]*:)?\/\/([^/?#]*)/i;

/**
 * Validates the text too, because a parser normalizes `https://0x7f.1`, `https://１２７.1` and `https://@host`.
 * @param ports null allows any port @throws {OutboundError} `invalid_url`, `blocked`
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
  // The lower case of some other letters is ASCII too, such as that of the Kelvin sign.
  return /^[\x21-\x7e]+$/.test(authority) && authority.replace(/:\d+$/, '').toLowerCase() === hostname;
}

const invalidUrlError = (): OutboundError => new OutboundError('invalid_url', 'This is not a valid URL.');
