import { consumeRateLimit, createRateLimiter } from '#server/accounts/rate-limits/rate-limiter.ts';
import { ApiError } from '#server/platform/core/api-error.ts';
import type { Deps } from '#server/platform/deps.ts';

export interface CredentialChecks {
  /**
   * Runs a check for someone without a key, who is known by an address or a share.
   * @throws {ApiError} 429 `rate_limit_exceeded`, 503 `service_unavailable`; what `work` throws
   */
  run<T>(owner: string, work: () => Promise<T>): Promise<T>;
}

const CHECKS_PER_MINUTE = 20;
/** Each keeps a copy of its file on the disk. */
const MAX_OPEN = { perOwner: 3, total: 16 };
const RETRY_AFTER_SECONDS = 15;

/** Limits public checks, which cost far more than other public requests. */
export function createCredentialChecks(deps: Deps): CredentialChecks {
  const limiter = createRateLimiter(deps, { name: 'credentials', points: CHECKS_PER_MINUTE, window_seconds: 60 });
  const open: string[] = [];
  return {
    async run(owner, work) {
      await consumeRateLimit(limiter, owner);
      if (open.length >= MAX_OPEN.total || open.filter((each) => each === owner).length >= MAX_OPEN.perOwner)
        throw new ApiError('service_unavailable', 'The service is busy checking other files. Try again in a moment.', {
          retry_after_seconds: RETRY_AFTER_SECONDS,
        });
      open.push(owner);
      try {
        return await work();
      } finally {
        open.splice(open.indexOf(owner), 1);
      }
    },
  };
}
