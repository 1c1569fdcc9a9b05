import { RateLimiterMemory } from 'rate-limiter-flexible';
import { consumeRateLimit } from '#server/core/consume-rate-limit.ts';
import type { Caller } from '#server/core/caller.ts';

const CHECKS_PER_MINUTE = 30;

/**
 * Counts the requests of an organization that call a provider, so that nobody floods a server or tries out keys through
 * this service. Decision: Providers
 * @returns a function that throws {ApiError} 429
 */
export function createCheckLimit(): (caller: Pick<Caller, 'organization_id'>) => Promise<void> {
  const checks = new RateLimiterMemory({ points: CHECKS_PER_MINUTE, duration: 60 });
  return ({ organization_id }) => consumeRateLimit(checks, organization_id);
}
