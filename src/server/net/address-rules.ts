import ipaddr from 'ipaddr.js';

export interface AddressRules {
  /** @param address an IP address in any textual form */
  allows(address: string): boolean;
}

/** The host of a cloud provider's virtual machines, although its range is public. */
const BLOCKED_PUBLIC_ADDRESSES = ['168.63.129.16'];
/** IPv6 assigned for use on the internet; every other range is special, whatever a library calls it. */
const GLOBAL_IPV6 = ipaddr.IPv6.parseCIDR('2000::/3');

/**
 * Allows only the public internet and the given private networks.
 * @param options.allow_private_networks CIDRs, for development and tests
 * @param options.refused_addresses public addresses of this service itself
 */
export function createAddressRules(
  options: { allow_private_networks?: readonly string[]; refused_addresses?: readonly string[] } = {},
): AddressRules {
  const allowed = (options.allow_private_networks ?? []).map((cidr) => ipaddr.parseCIDR(cidr));
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
