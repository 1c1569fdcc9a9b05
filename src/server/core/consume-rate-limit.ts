import { type RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { ApiError } from './api-error.ts';

/** @throws {ApiError} 429 */
export async function consumeRateLimit(limiter: RateLimiterMemory, key: string): Promise<void> {
  try {
    await limiter.consume(key);
  } catch (error) {
    if (!(error instanceof RateLimiterRes)) throw error;
    const retry_after_seconds = Math.max(1, Math.ceil(error.msBeforeNext / 1000));
    throw new ApiError('rate_limit_exceeded', `Too many requests. Try again in ${retry_after_seconds} s.`, {
      retry_after_seconds,
    });
  }
}
