/** Rejects as soon as the signal is aborted, even if it already was; the work itself may continue in the background. */
export async function abortOnSignal<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const abort = (): void => reject(signal.reason as Error);
  signal.addEventListener('abort', abort, { once: true });
  if (signal.aborted) abort();
  try {
    // `aborted` comes first so that it wins over work that has settled too. The race also handles a later rejection of
    // the work.
    return await Promise.race([aborted, work]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}
