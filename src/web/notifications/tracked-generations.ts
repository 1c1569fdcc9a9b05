/** In this tab's storage: ids of generations whose end is waited for. */
export const TRACKED_GENERATIONS_KEY = 'emulsion.awaited';

/** Whether something was under way before the page was loaded anew. */
export function hasTrackedGenerations(): boolean {
  try {
    return (sessionStorage.getItem(TRACKED_GENERATIONS_KEY) ?? '[]') !== '[]';
  } catch {
    return false;
  }
}
