import { setTimeout as sleep } from 'node:timers/promises';
import { type GenerationStatus, isActive } from '#contract/statuses.ts';

const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 4_000;

interface FollowOptions<T> {
  read(): Promise<T>;
  statusOf(read: T): GenerationStatus | null;
  seconds: number;
  /** Ends the wait early. */
  signal: AbortSignal;
  onWait?(read: T, elapsedSeconds: number): Promise<void>;
}

/**
 * Reads until there is nothing to wait for: the status is final, `statusOf` returns null, or the time is over.
 * @returns what was read last
 */
export async function followGeneration<T>(options: FollowOptions<T>): Promise<T> {
  const { read, statusOf, seconds, signal, onWait } = options;
  const startedMs = performance.now();
  const elapsedMs = () => performance.now() - startedMs;
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 1.5, LONGEST_PAUSE_MS)) {
    const current = await read();
    const status = statusOf(current);
    const leftMs = seconds * 1_000 - elapsedMs();
    if (status === null || !isActive(status) || leftMs <= 0 || signal.aborted) return current;
    await onWait?.(current, elapsedMs() / 1_000);
    await sleep(Math.min(pauseMs, leftMs), undefined, { signal }).catch(() => {});
    // A service that stops takes no new requests.
    if (signal.aborted) return current;
  }
}
