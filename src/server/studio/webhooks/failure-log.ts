import type { Deps } from '#server/platform/deps.ts';

const INTERVAL_MS = 600_000;
const MAX_RECEIVERS = 1_000;

interface Failure {
  reason: string;
  [field: string]: unknown;
}

/** Logs failed attempts, of each receiver at most one in ten minutes. */
export function createFailureLog({ log, clock }: Deps): (receiver: string, failure: Failure) => void {
  const nextMs = new Map<string, number>();
  return (receiver, failure) => {
    const now = clock.now().getTime();
    if (now < (nextMs.get(receiver) ?? 0)) return;
    const [oldest] = nextMs.keys();
    if (nextMs.size >= MAX_RECEIVERS && oldest !== undefined) nextMs.delete(oldest);
    nextMs.delete(receiver);
    nextMs.set(receiver, now + INTERVAL_MS);
    log.warn(failure, 'webhook not acknowledged; further failures of this receiver are logged in 10 minutes');
  };
}
