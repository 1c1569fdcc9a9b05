import { timeoutError } from './outbound-error.ts';

interface DeadlineOptions {
  timeoutMs: number;
  signal?: AbortSignal | undefined;
}

/** Runs work under the caller's signal and a deadline, and reports which one aborted. */
export async function withDeadline<T>(limits: DeadlineOptions, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  limits.signal?.throwIfAborted();
  const deadline = AbortSignal.timeout(limits.timeoutMs);
  const signal = limits.signal ? AbortSignal.any([limits.signal, deadline]) : deadline;
  try {
    return await work(signal);
  } catch (error) {
    limits.signal?.throwIfAborted();
    if (deadline.aborted) throw timeoutError(error);
    throw error;
  }
}
