// The inline script of index.html reads the same name before the first paint.
const storage_name = 'emulsion.face';

/**
 * Fetches the typeface for the next visit. On a slow line it would take a quarter of a second from the first page's
 * script, and setting a page anew that is already read costs as much again: a first visit keeps the system's face.
 */
export async function keepFace(): Promise<void> {
  const faces = await document.fonts.load("1rem 'Inter Variable'", 'a').catch(() => []);
  if (faces.length === 0) return;
  try {
    localStorage.setItem(storage_name, '1');
  } catch {
    // Storage is forbidden here: the system's face stays.
  }
}
