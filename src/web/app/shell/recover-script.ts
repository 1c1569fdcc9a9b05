const storageName = 'emulsion.reloaded';

const RESPONSE_TIMEOUT_MS = 5_000;

/** Whether an import failed because its script could not be loaded. Each browser has its own message. */
export const isScriptMissing = (error: unknown): boolean =>
  error instanceof TypeError && /dynamically imported module|module script failed/i.test(error.message);

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
 * Reloads the document for a script that the service no longer has, because a new version has other file names. Some
 * browsers also never request a script again that failed once.
 * @returns false where the document was reloaded for it already, or where something on the page would be lost
 */
export function reloadOnce(script: string): boolean {
  try {
    if (sessionStorage.getItem(storageName) === script) return false;
    // Listeners that guard unsaved work, such as uploads, can refuse.
    if (!window.dispatchEvent(new Event('beforeunload', { cancelable: true }))) return false;
    sessionStorage.setItem(storageName, script);
  } catch {
    return false;
  }
  window.location.reload();
  return true;
}

/** Allows the document to be reloaded for a script again, because it was loaded. */
export function clearReloadMark(script: string): void {
  try {
    if (sessionStorage.getItem(storageName) === script) sessionStorage.removeItem(storageName);
  } catch {
    // Storage is forbidden, so nothing was stored.
  }
}
