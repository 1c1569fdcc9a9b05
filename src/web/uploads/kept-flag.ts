const NAME = 'emulsion.uploads';

/** Whether this browser may hold files that were left unfinished; looked at on every page, so that no database need be. */
export function isFlagged(): boolean {
  try {
    return localStorage.getItem(NAME) !== null;
  } catch {
    return false;
  }
}

export function setFlag(on: boolean): void {
  try {
    if (on) localStorage.setItem(NAME, '1');
    else localStorage.removeItem(NAME);
  } catch {
    // Nothing is kept then.
  }
}
