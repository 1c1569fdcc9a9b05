import { type GenerationStatus, isActive } from '#contract/statuses.ts';
import { ApiError } from '#server/platform/core/api-error.ts';

interface RetryAttempt {
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
 * Why an attempt can't be retried, given its retry chain; null if it can. Decision: Retry
 * @param noun for the message
 */
export function validateRetry(noun: 'generation' | 'run', id: string, chain: readonly RetryAttempt[]): ApiError | null {
  const attempt = chain.find((link) => link.id === id);
  if (attempt && !RETRYABLE_STATUSES[attempt.status]) {
    return new ApiError('retry_not_allowed', `Only a failed or canceled ${noun} can be retried.`);
  }
  const retried = new Set(chain.map((link) => link.retry_of));
  const newest = chain.find((link) => !retried.has(link.id));
  if (!newest || newest.id === id) return null;
  if (isActive(newest.status)) {
    return new ApiError('active_retry_exists', `A retry of this ${noun} is already in progress.`);
  }
  return new ApiError('retry_not_latest', `This ${noun} was already retried. Retry the latest attempt instead.`);
}
