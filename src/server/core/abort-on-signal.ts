/** Rejects as soon as the signal is aborted, also where it was before, whatever the work still does in the background. */
export async function abortOnSignal<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const abort = (): void => reject(signal.reason as Error);
  signal.addEventListener('abort', abort, { once: true });
  if (signal.aborted) abort();
  try {
    // First, so that what the work makes of it does not matter. The race hears of all that fails later.
    return await Promise.race([aborted, work]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}
