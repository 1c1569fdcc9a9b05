import type { Deps } from '#server/platform/deps.ts';
import { consumeRateLimit, createRateLimiter } from '#server/accounts/rate-limits/rate-limiter.ts';
import { networkPrefix } from '#server/http/rate-limit.ts';

const WINDOW_SECONDS = 60;
/** Visitors at the limit that are served at the same time. */
const VISITORS = 20;

/** Counts requests for share pages by address and in total, apart from all others. Decision: Share pages */
export function createShareLimit(deps: Deps) {
  const { public_rate_limit_per_minute: points } = deps.config;
  const createLimit = (name: string, factor: number) =>
    createRateLimiter(deps, { name, points: points * factor, window_seconds: WINDOW_SECONDS });
  const addresses = createLimit('share', 1);
  const total = createLimit('shares', VISITORS);
  return async (address: string): Promise<void> => {
    // An address over its limit uses up nothing of the others.
    await consumeRateLimit(addresses, networkPrefix(address));
    await consumeRateLimit(total, 'all');
  };
}
