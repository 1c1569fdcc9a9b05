// The inline script of index.html reads the same name before the first paint.
const storage_name = 'emulsion.face';

/**
 * Loads the typeface for the next visit. On a slow line it would delay the first page's script by a quarter of a second, and
 * a second layout of a page that is being read costs as much again: a first visit on a phone keeps the system's face.
 */
export async function cacheFont(): Promise<void> {
  const faces = await document.fonts.load("1rem 'Inter Variable'", 'a').catch(() => []);
  if (faces.length === 0) return;
  try {
    localStorage.setItem(storage_name, '1');
  } catch {
    // Storage is forbidden here: the system's face stays.
  }
}
