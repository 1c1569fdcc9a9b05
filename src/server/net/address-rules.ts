import ipaddr from 'ipaddr.js';

export interface AddressRules {
  /** Whether connections to this IP address are allowed. Accepts every textual form. */
  allows(address: string): boolean;
}

/** Azure's platform address: in a public range, but reachable only from inside its virtual machines. */
const BLOCKED_PUBLIC_ADDRESSES = ['168.63.129.16'];
/** Global unicast range of IPv6. ipaddr.js reports some addresses outside it as unicast. */
const GLOBAL_IPV6 = ipaddr.IPv6.parseCIDR('2000::/3');

/**
 * Creates rules that allow addresses of the public internet and the given private networks.
 * @param options.allow_private_networks CIDRs, for development and tests
 * @param options.blocked_addresses public addresses of this service itself
 */
export function createAddressRules(
  options: { allow_private_networks?: readonly string[]; blocked_addresses?: readonly string[] } = {},
): AddressRules {
  const allowed = (options.allow_private_networks ?? []).map((cidr) => ipaddr.parseCIDR(cidr));
  const refused = [...BLOCKED_PUBLIC_ADDRESSES, ...(options.blocked_addresses ?? [])].map((address) =>
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
  // ISATAP carries an IPv4 address behind `5efe`.
  return address.match(GLOBAL_IPV6) && marker !== 0x5efe;
}
