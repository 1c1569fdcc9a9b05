const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** Delays before the second to the sixth attempt. Spec: Receiver obligations and retries */
const RETRY_DELAYS_MS = [MINUTE_MS, 5 * MINUTE_MS, 30 * MINUTE_MS, 2 * HOUR_MS, 12 * HOUR_MS] as const;
/** From the DNS lookup to the end of the response. Spec: Delivery */
export const ATTEMPT_TIMEOUT_MS = 10_000;
/** Longer than any attempt takes, so an expired lease belongs to a process that has ended. */
export const DELIVERY_LEASE_MS = 20_000;
/** Of all processes together. */
export const ATTEMPTS_PER_ENDPOINT = 2;

export const WARN_AFTER_MS = 5 * DAY_MS;
export const DISABLE_AFTER_MS = 14 * DAY_MS;
export const HEALTH_WINDOW_DAYS = 7;
export const HEALTH_WINDOW_MS = HEALTH_WINDOW_DAYS * DAY_MS;
export const SECRET_OVERLAP_MS = DAY_MS;
export const EVENT_RETENTION_MS = 30 * DAY_MS;

/** From 10 seconds, doubled up to 4 hours: about a day. */
const CALLBACK_TRIES = 15;
const FIRST_CALLBACK_DELAY_MS = 10_000;
const MAX_CALLBACK_DELAY_MS = 4 * HOUR_MS;

/** As `nextAttemptAt`, of the address of an order. */
export function nextCallbackAt(tries: number, failedAt: Date): Date | null {
  if (tries >= CALLBACK_TRIES) return null;
  const delayMs = Math.min(FIRST_CALLBACK_DELAY_MS * 2 ** (tries - 1), MAX_CALLBACK_DELAY_MS);
  return new Date(failedAt.getTime() + delayMs);
}

/**
 * Returns the time of the next attempt, or null after the last one.
 * @param tries attempts made so far, at least one
 * @param failedAt when the last of them failed
 */
export function nextAttemptAt(tries: number, failedAt: Date): Date | null {
  const delayMs = RETRY_DELAYS_MS[tries - 1];
  return delayMs === undefined ? null : new Date(failedAt.getTime() + delayMs);
}
