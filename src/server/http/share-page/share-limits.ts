import { RateLimiterMemory } from 'rate-limiter-flexible';
import { consumeRateLimit } from '#server/core/consume-rate-limit.ts';
import type { Config } from '#server/core/config.ts';
import { networkPrefix } from '../rate-limit.ts';

const WINDOW_SECONDS = 60;
/** Visitors at the limit that one process serves at the same time. */
const VISITORS = 20;

/** Counts requests for share pages by address and in total, apart from all others. Decision: Share pages */
export function createShareLimit({
  public_rate_limit_per_minute: points,
}: Pick<Config, 'public_rate_limit_per_minute'>) {
  const addresses = new RateLimiterMemory({ points, duration: WINDOW_SECONDS });
  const total = new RateLimiterMemory({ points: points * VISITORS, duration: WINDOW_SECONDS });
  return async (address: string): Promise<void> => {
    // An address over its limit uses up nothing of the others.
    await consumeRateLimit(addresses, networkPrefix(address));
    await consumeRateLimit(total, 'all');
  };
}
