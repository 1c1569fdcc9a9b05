const SECOND_MS = 1_000;
/** A job is polled every tenth of its age, so that the last wait is short compared to the work. */
const POLLS_PER_AGE = 10;
const MIN_POLL_MS = 200;
const MAX_POLL_MS = 15 * SECOND_MS;
const MAX_REQUESTED_DELAY_MS = 600 * SECOND_MS;
const MAX_BACKOFF_MS = 60 * SECOND_MS;

type Random = () => number;
const clamp = (value: number, min: number, max: number) => Math.min(Math.max(value, min), max);

/**
 * The delay before the next poll of an accepted job.
 * @param pollAfterMs the delay that the upstream requested, if any
 */
export function pollDelay(ageMs: number, pollAfterMs: number | null | undefined, random: Random = Math.random): number {
  if (pollAfterMs != null) return clamp(pollAfterMs, MIN_POLL_MS, MAX_REQUESTED_DELAY_MS);
  const waitMs = clamp(ageMs / POLLS_PER_AGE, SECOND_MS, MAX_POLL_MS);
  // Jitter spreads jobs that started together.
  return waitMs * (0.75 + random() / 2);
}

/**
 * The delay after consecutive problems: full jitter over a range that doubles, at least what the upstream requested.
 * @param count 1 for the first problem
 */
export function backoffDelay(count: number, retryAfterMs: number | null = null, random: Random = Math.random): number {
  const rangeMs = Math.min(SECOND_MS * 2 ** Math.min(count, 16), MAX_BACKOFF_MS);
  return clamp(retryAfterMs ?? 0, 0, MAX_REQUESTED_DELAY_MS) + random() * rangeMs;
}
