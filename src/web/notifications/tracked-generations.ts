/** Key of the tab's storage for the ids of tracked generations. */
export const TRACKED_GENERATIONS_KEY = 'emulsion.awaited';

/** Whether generations were active before the page was reloaded. */
export function hasTrackedGenerations(): boolean {
  try {
    return (sessionStorage.getItem(TRACKED_GENERATIONS_KEY) ?? '[]') !== '[]';
  } catch {
    return false;
  }
}
