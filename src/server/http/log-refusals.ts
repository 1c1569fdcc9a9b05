import type { Deps } from '#server/deps.ts';

/** Lines per minute: anybody can cause them, without a key and without a rate limit. */
const MAX_LINES = 60;
const WINDOW_MS = 60_000;

interface Refusal {
  status: number;
  /** What was wrong, as Node names it. */
  reason: string;
  request_id: string;
}

export type LogRefusal = (refusal: Refusal) => void;

/**
 * Logs responses to what never became a request of the app, so that no hook sees them. At most 60 lines a minute; the
 * first line after that says how many were left out. Nothing that the client sent is logged.
 */
export function createRefusalLog({ log, clock }: Pick<Deps, 'log' | 'clock'>): LogRefusal {
  let window_start = 0;
  let lines = 0;
  return (refusal) => {
    const now = clock.now().getTime();
    let omitted = 0;
    if (now - window_start >= WINDOW_MS) {
      omitted = Math.max(0, lines - MAX_LINES);
      window_start = now;
      lines = 0;
    }
    lines += 1;
    if (lines <= MAX_LINES) log.info({ ...refusal, ...(omitted > 0 ? { omitted } : {}) }, 'refused connection');
  };
}
