export const KEPT_FLAG = 'emulsion.uploads';

/** Says that this browser may hold files that were left unfinished: pages look at it, so that no database need be opened. */
export function setFlag(on: boolean): void {
  try {
    if (on) localStorage.setItem(KEPT_FLAG, '1');
    else localStorage.removeItem(KEPT_FLAG);
  } catch {
    // Nothing is kept then.
  }
}
