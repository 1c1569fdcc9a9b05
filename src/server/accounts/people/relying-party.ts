import { isIP } from 'node:net';
import type { Config } from '#server/platform/core/settings/config.ts';

export interface RelyingParty {
  id: string;
  origin: string;
}

/** Returns the site that passkeys belong to; null where browsers allow none: plain HTTP, or an IP address. */
export function findRelyingParty({ publicUrl }: Pick<Config, 'publicUrl'>): RelyingParty | null {
  const { hostname, protocol } = new URL(publicUrl);
  const isLocal = hostname === 'localhost' || hostname.endsWith('.localhost');
  const isAddress = isIP(hostname.replaceAll(/[[\]]/g, '')) !== 0;
  return (protocol === 'https:' || isLocal) && !isAddress ? { id: hostname, origin: publicUrl } : null;
}
