import ipaddr from 'ipaddr.js';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import type { Deps } from '#server/deps.ts';
import { createKeyCache } from '#server/keys/key-cache.ts';
import { consumeRateLimit } from '#server/core/consume-rate-limit.ts';

export interface RateLimit {
  /** @throws {ApiError} 429 */
  countKey(key_id: string): Promise<void>;
  /** A request without a key, or with one that is not valid. @throws {ApiError} 429 */
  countAddress(address: string): Promise<void>;
  /** A request for the state of the service, apart from all others of the address. @throws {ApiError} 429 */
  countProbe(address: string): Promise<void>;
  /** A key that nobody has, of an address that is over its limit, is refused without looking it up. @throws {ApiError} 429 */
  rejectUnknownKey(address: string, key: string): Promise<void>;
}

const WINDOW_SECONDS = 60;

/** Counts in this process, per key and per address. Decision: Request limits */
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

/** One subscriber holds a whole IPv6 /64, so that is what counts as an address. */
function networkPrefix(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  return parsed instanceof ipaddr.IPv6 ? parsed.parts.slice(0, 4).join(':') : parsed.toString();
}
