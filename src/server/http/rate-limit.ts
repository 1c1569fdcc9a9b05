import { isIPv4 } from 'node:net';
import ipaddr from 'ipaddr.js';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import type { Deps } from '#server/deps.ts';
import { createKeyCache } from '#server/keys/key-cache.ts';
import { consumeRateLimit } from '#server/core/consume-rate-limit.ts';

export interface RateLimit {
  /** @throws {ApiError} 429 */
  countKey(key_id: string): Promise<void>;
  /** @throws {ApiError} 429 */
  countAddress(address: string): Promise<void>;
  /** Counts a health check, apart from other requests of the address. @throws {ApiError} 429 */
  countProbe(address: string): Promise<void>;
  /** Rejects an unknown key without a database lookup if its address has exceeded its limit. @throws {ApiError} 429 */
  rejectUnknownKey(address: string, key: string): Promise<void>;
}

const WINDOW_SECONDS = 60;

/** Counts requests per key and address in this process. Decision: Request limits */
export function createRateLimit({ config, db, clock }: Pick<Deps, 'config' | 'db' | 'clock'>): RateLimit {
  const keys = new RateLimiterMemory({ points: config.rate_limit_per_minute, duration: WINDOW_SECONDS });
  const addresses = new RateLimiterMemory({ points: config.public_rate_limit_per_minute, duration: WINDOW_SECONDS });
  const probes = new RateLimiterMemory({ points: config.public_rate_limit_per_minute, duration: WINDOW_SECONDS });
  const known_keys = createKeyCache({ db, clock });
  return {
    countKey: (key_id) => consumeRateLimit(keys, key_id),
    countAddress: (address) => consumeRateLimit(addresses, networkPrefix(address)),
    countProbe: (address) => consumeRateLimit(probes, networkPrefix(address)),
    async rejectUnknownKey(address, key) {
      const network = networkPrefix(address);
      const used = await addresses.get(network);
      if (used === null || used.remainingPoints > 0 || (await known_keys.has(key))) return;
      await consumeRateLimit(addresses, network);
    },
  };
}

/** One subscriber has a whole IPv6 /64, so it counts as one address. */
export function networkPrefix(address: string): string {
  if (isIPv4(address) || !ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  return parsed instanceof ipaddr.IPv6 ? parsed.parts.slice(0, 4).join(':') : parsed.toString();
}
