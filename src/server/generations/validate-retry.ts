import { type GenerationStatus, isActive } from '#contract/generation-status.ts';
import { ApiError } from '#server/core/api-error.ts';

/** One attempt of a chain of retries. */
export interface RetryAttempt {
  id: string;
  status: GenerationStatus;
  retry_of: string | null;
}

const RETRYABLE_STATUSES = {
  queued: false,
  running: false,
  succeeded: false,
  failed: true,
  canceled: true,
  manual_review: false,
} as const satisfies Record<GenerationStatus, boolean>;

/**
 * Why an attempt can't be tried again, by the others of its chain; null where it can. Decision: Retry
 * @param what is tried again, in words
 */
export function validateRetry(what: 'generation' | 'run', id: string, chain: readonly RetryAttempt[]): ApiError | null {
  const named = chain.find((link) => link.id === id);
  if (named && !RETRYABLE_STATUSES[named.status]) {
    return new ApiError('retry_not_allowed', `Only a ${what} that failed or was canceled can be started again.`);
  }
  const repeated = new Set(chain.map((link) => link.retry_of));
  const newest = chain.find((link) => !repeated.has(link.id));
  if (!newest || newest.id === id) return null;
  if (isActive(newest.status)) {
    return new ApiError('active_retry_exists', `This ${what} was started again already and is still at work.`);
  }
  return new ApiError('retry_not_latest', `This ${what} was started again already. Use the newest attempt.`);
}
