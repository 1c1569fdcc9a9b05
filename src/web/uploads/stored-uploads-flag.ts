export const STORED_UPLOADS_FLAG = 'emulsion.uploads';

/** Says that this browser may hold files that were left unfinished: pages look at it, so that no database need be opened. */
export function setStoredUploadsFlag(on: boolean): void {
  try {
    if (on) localStorage.setItem(STORED_UPLOADS_FLAG, '1');
    else localStorage.removeItem(STORED_UPLOADS_FLAG);
  } catch {
    // Nothing is kept then.
  }
}
