import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import type { AddressRules } from './address-rules.ts';
import { OutboundError } from './outbound-error.ts';

export interface HostAddress {
  address: string;
  family: number;
}

/** Returns every address of a name; rejects with a `code` of `dns`. */
export type Resolver = (hostname: string) => Promise<readonly HostAddress[]>;

export const systemResolver: Resolver = (hostname) => lookup(hostname, { all: true, verbatim: true });

const NO_SUCH_NAME = new Set(['ENOTFOUND', 'ENODATA', 'EAI_NONAME', 'EAI_NODATA']);

/**
 * One forbidden address blocks the name. @param hostname or a literal address, IPv6 in brackets
 * @throws {OutboundError} `blocked`, `unknown_host`, `resolver_failed`
 */
export async function resolveHost(
  hostname: string,
  rules: AddressRules,
  resolver: Resolver,
): Promise<readonly HostAddress[]> {
  const literal = hostname.replace(/^\[(.*)\]$/, '$1');
  const family = isIP(literal);
  const addresses = family === 0 ? await resolveName(hostname, resolver) : [{ address: literal, family }];
  if (addresses.length === 0) throw unknownHost(hostname);
  if (!addresses.every(({ address }) => rules.allows(address))) {
    throw new OutboundError('blocked', 'The URL leads to a private or local network, which is not allowed.');
  }
  return addresses;
}

async function resolveName(hostname: string, resolver: Resolver): Promise<readonly HostAddress[]> {
  try {
    return await resolver(hostname);
  } catch (error) {
    if (error instanceof Error && 'code' in error && NO_SUCH_NAME.has(String(error.code))) {
      throw unknownHost(hostname, error);
    }
    throw new OutboundError('resolver_failed', `The host ${hostname} can’t be resolved right now. Try again later.`, {
      cause: error,
    });
  }
}

const unknownHost = (hostname: string, cause?: unknown): OutboundError =>
  new OutboundError('unknown_host', `There is no host named ${hostname}.`, { cause });
