/** In this tab's storage: ids of generations whose end is waited for. */
export const AWAITED = 'emulsion.awaited';

/** Whether something was under way before the page was loaded anew. */
export function anyAwaited(): boolean {
  try {
    return (sessionStorage.getItem(AWAITED) ?? '[]') !== '[]';
  } catch {
    return false;
  }
}
