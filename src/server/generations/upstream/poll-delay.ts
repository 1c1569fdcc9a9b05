const SECOND_MS = 1_000;
/** A job is asked about every tenth of its age, so that nobody waits much longer than it takes. */
const POLLS_PER_AGE = 10;
/** However soon an upstream says it may be asked. */
const MIN_POLL_MS = 200;
const MAX_POLL_MS = 15 * SECOND_MS;
const MAX_REQUESTED_DELAY_MS = 600 * SECOND_MS;
const MAX_BACKOFF_MS = 60 * SECOND_MS;

type Random = () => number;
const clamp = (value: number, least: number, most: number) => Math.min(Math.max(value, least), most);

/**
 * How long to wait before an accepted job is asked about again.
 * @param poll_after_ms what the upstream asked for; null or undefined where it did not say
 */
export function pollDelay(
  age_ms: number,
  poll_after_ms: number | null | undefined,
  random: Random = Math.random,
): number {
  if (poll_after_ms != null) return clamp(poll_after_ms, MIN_POLL_MS, MAX_REQUESTED_DELAY_MS);
  const wait_ms = clamp(age_ms / POLLS_PER_AGE, SECOND_MS, MAX_POLL_MS);
  // Jobs that began together do not stay together.
  return wait_ms * (0.75 + random() / 2);
}

/**
 * How long to wait after problems in a row: full jitter over a range that doubles, at least what the upstream asked for.
 * @param count 1 for the first
 */
export function backoffDelay(
  count: number,
  retry_after_ms: number | null = null,
  random: Random = Math.random,
): number {
  const range_ms = Math.min(SECOND_MS * 2 ** Math.min(count, 16), MAX_BACKOFF_MS);
  return clamp(retry_after_ms ?? 0, 0, MAX_REQUESTED_DELAY_MS) + random() * range_ms;
}
