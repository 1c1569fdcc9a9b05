const storage_name = 'emulsion.reloaded';

const RESPONSE_TIMEOUT_MS = 5_000;

/** Whether an import failed because its script did not arrive; each browser has its own message. */
export const isScriptMissing = (error: unknown): boolean =>
  error instanceof TypeError && /dynamically imported module|module script failed/i.test(error.message);

/** Whether the service responds. */
export async function isServiceReachable(): Promise<boolean> {
  try {
    const signal = AbortSignal.timeout(RESPONSE_TIMEOUT_MS);
    const { status } = await fetch('/healthz', { cache: 'no-store', credentials: 'omit', signal });
    return status < 500;
  } catch {
    return false;
  }
}

/**
 * Reloads the document for a script that the service no longer has: a new version has other file names. Also, some browsers
 * never request a script again that failed once.
 * @returns false where that was tried for this address already, or something on the page would be lost
 */
export function reloadOnce(): boolean {
  try {
    if (sessionStorage.getItem(storage_name) === window.location.href) return false;
    // Whoever asks before the page is left, such as uploads in progress, hears of it first.
    if (!window.dispatchEvent(new Event('beforeunload', { cancelable: true }))) return false;
    sessionStorage.setItem(storage_name, window.location.href);
  } catch {
    return false;
  }
  window.location.reload();
  return true;
}

/** A script arrived: the next one that is missing may reload the document again. */
export function clearReloadMark(): void {
  try {
    sessionStorage.removeItem(storage_name);
  } catch {
    // Nothing was stored then.
  }
}
