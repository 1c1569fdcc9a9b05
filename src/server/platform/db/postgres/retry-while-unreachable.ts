import { setTimeout as delay } from 'node:timers/promises';
import { isDatabaseUnreachable } from './is-unreachable.ts';

const PAUSE_MS = 500;
const LONGEST_MS = 120_000;

/** Repeats work while the database can't be reached, for at most two minutes. @param signal stops repeating */
export async function retryWhileUnreachable<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
  const giveUpMs = performance.now() + LONGEST_MS;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isDatabaseUnreachable(error) || signal.aborted || performance.now() > giveUpMs) throw error;
      await delay(PAUSE_MS, undefined, { signal }).catch(() => undefined);
    }
  }
}
