import { isIPv4 } from 'node:net';
import ipaddr from 'ipaddr.js';
import type { Deps } from '#server/platform/deps.ts';
import { createKeyCache } from '#server/accounts/keys/key-cache.ts';
import { consumeRateLimit, createRateLimiter } from '#server/accounts/rate-limits/rate-limiter.ts';

export interface RateLimit {
  /** @throws {ApiError} 429 */
  countKey(keyId: string): Promise<void>;
  /** @throws {ApiError} 429 */
  countAddress(address: string): Promise<void>;
  /** Counts a health check, apart from other requests of the address. @throws {ApiError} 429 */
  countProbe(address: string): Promise<void>;
  /** Rejects an unknown key without a database lookup if its address has exceeded its limit. @throws {ApiError} 429 */
  rejectUnknownKey(address: string, key: string): Promise<void>;
}

const WINDOW_SECONDS = 60;

/** Counts requests per key and address. Decision: Request limits */
export function createRateLimit(deps: Deps): RateLimit {
  const { rateLimitPerMinute, publicRateLimitPerMinute } = deps.config;
  const createLimit = (name: string, points: number) =>
    createRateLimiter(deps, { name, points, window_seconds: WINDOW_SECONDS });
  const keys = createLimit('key', rateLimitPerMinute);
  const addresses = createLimit('address', publicRateLimitPerMinute);
  const probes = createLimit('probe', publicRateLimitPerMinute);
  const knownKeys = createKeyCache(deps);
  return {
    countKey: (key_id) => consumeRateLimit(keys, key_id),
    countAddress: (address) => consumeRateLimit(addresses, networkPrefix(address)),
    countProbe: (address) => consumeRateLimit(probes, networkPrefix(address)),
    async rejectUnknownKey(address, key) {
      const network = networkPrefix(address);
      if ((await addresses.blockedMs(network)) === null || (await knownKeys.has(key))) return;
      await consumeRateLimit(addresses, network);
    },
  };
}

/** One subscriber has a whole IPv6 /64, so it counts as one address. @param groups of IPv6, 16 bits each */
export function networkPrefix(address: string, groups = 4): string {
  if (isIPv4(address) || !ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  return parsed instanceof ipaddr.IPv6 ? parsed.parts.slice(0, groups).join(':') : parsed.toString();
}
