export const TRACKED_GENERATIONS_KEY = 'emulsion.awaited';

export function hasTrackedGenerations(): boolean {
  try {
    return (sessionStorage.getItem(TRACKED_GENERATIONS_KEY) ?? '[]') !== '[]';
  } catch {
    return false;
  }
}
