import type { Deps } from '#server/platform/deps.ts';

/** Per minute, since anyone can cause these lines without a key or rate limit. */
const MAX_LINES = 60;
const WINDOW_MS = 60_000;

interface Refusal {
  status: number;
  reason: string;
  request_id: string;
}

export type LogRefusal = (refusal: Refusal) => void;

/**
 * Logs responses to input that never became a request of the app and so passes no hook. Writes at most 60 lines a
 * minute; the next line says how many were omitted. Logs nothing that the client sent.
 */
export function createRefusalLog({ log, clock }: Deps): LogRefusal {
  let windowStart = 0;
  let lines = 0;
  return (refusal) => {
    const now = clock.now().getTime();
    let omitted = 0;
    if (now - windowStart >= WINDOW_MS) {
      omitted = Math.max(0, lines - MAX_LINES);
      windowStart = now;
      lines = 0;
    }
    lines += 1;
    if (lines <= MAX_LINES) log.info({ ...refusal, ...(omitted > 0 ? { omitted } : {}) }, 'refused connection');
  };
}
