export const STORED_UPLOADS_FLAG = 'emulsion.uploads';

/** With the flag, pages need not open the database to find unfinished uploads. */
export function setStoredUploadsFlag(on: boolean): void {
  try {
    if (on) localStorage.setItem(STORED_UPLOADS_FLAG, '1');
    else localStorage.removeItem(STORED_UPLOADS_FLAG);
  } catch {
    // Without storage there are no stored uploads.
  }
}
