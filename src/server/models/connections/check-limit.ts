import type { Deps } from '#server/platform/deps.ts';
import { consumeRateLimit, createRateLimiter } from '#server/accounts/rate-limits/rate-limiter.ts';
import type { Caller } from '#server/platform/core/caller.ts';

const CHECKS_PER_MINUTE = 30;

/**
 * Counts the requests of an organization that call a provider, so that nobody floods a server or tries out keys through
 * this service. Decision: Providers
 * @returns a function that throws {ApiError} 429
 */
export function createCheckLimit(deps: Deps): (caller: Pick<Caller, 'organization_id'>) => Promise<void> {
  const options = { name: 'provider_check', points: CHECKS_PER_MINUTE, window_seconds: 60, is_exact: true };
  const checks = createRateLimiter(deps, options);
  return ({ organization_id }) => consumeRateLimit(checks, organization_id);
}
