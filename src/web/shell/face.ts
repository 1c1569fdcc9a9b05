// The inline script of index.html reads the same name before the first paint.
const storage_name = 'emulsion.face';

/**
 * Brings the typeface once the first page is there: on a slow line it would take a quarter of a second from the script.
 * The system face that stands in has its measures. From the second visit on it is there at once.
 */
export async function bringFace(): Promise<void> {
  const faces = await document.fonts.load("1rem 'Inter Variable'", 'a').catch(() => []);
  if (faces.length === 0) return;
  document.documentElement.dataset.face = 'inter';
  try {
    localStorage.setItem(storage_name, '1');
  } catch {
    // Storage is forbidden here: it is brought anew on every visit.
  }
}
