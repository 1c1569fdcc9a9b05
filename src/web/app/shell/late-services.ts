import type { QueryClient } from '@tanstack/react-query';
import { ApiError } from '#web/api/api-errors.ts';
import { fetchServiceVersion } from '#web/api/queries/service-version.ts';
import { watchClientAnswers } from '#web/notifications/watch-client-answers.ts';
import { showToast } from '#web/ui/overlays/toast-store.ts';

/** What every page runs, but none needs at once. Returns a function that stops it. */
export function lateServices(client: QueryClient, openAnswers: (shareId: string | undefined) => void): () => void {
  void cacheFont();
  const stops = [watchVersion(client), watchClientAnswers(client, openAnswers)];
  return () => stops.forEach((stop) => stop());
}

// The inline script of index.html reads the same name before the first paint.
const storageName = 'emulsion.face';

/**
 * Loads the font for the next visit. On a slow connection it would delay the first page's script by a quarter of a
 * second, and swapping fonts while someone reads costs as much again. So the first visit on a phone uses the system
 * font.
 */
async function cacheFont(): Promise<void> {
  const faces = await document.fonts.load("1rem 'Inter Variable'", 'a').catch(() => []);
  if (faces.length === 0) return;
  try {
    localStorage.setItem(storageName, '1');
  } catch {
    // Storage is forbidden here: the system font stays.
  }
}

/** Replaced by the build. */
declare const EMULSION_VERSION: string;

const CHECK_EVERY_MS = 600_000;

const isUnknownPath = (error: unknown): boolean => error instanceof ApiError && error.code === 'not_found';

/**
 * Offers to reload once the service has another version than this page, also when it lacks what the page asks for.
 * @returns a function that stops watching
 */
function watchVersion(client: QueryClient): () => void {
  const check = async () => {
    if (document.hidden) return;
    const version = await fetchServiceVersion();
    if (timer === undefined || version === null || version === EMULSION_VERSION) return;
    stop();
    showToast({
      title: 'Emulsion was updated',
      detail: 'Reload to get the current version. Your drafts are saved.',
      durationMs: null,
      action: { label: 'Reload', onPress: () => window.location.reload() },
    });
  };
  const checkSoon = () => void check();
  let timer: ReturnType<typeof setInterval> | undefined = setInterval(checkSoon, CHECK_EVERY_MS);
  document.addEventListener('visibilitychange', checkSoon);
  window.addEventListener('online', checkSoon);
  const unsubscribe = client.getQueryCache().subscribe((event) => {
    if (event.type === 'updated' && event.action.type === 'error' && isUnknownPath(event.action.error)) checkSoon();
  });
  const stop = () => {
    unsubscribe();
    clearInterval(timer);
    timer = undefined;
    document.removeEventListener('visibilitychange', checkSoon);
    window.removeEventListener('online', checkSoon);
  };
  return stop;
}
