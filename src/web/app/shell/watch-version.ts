import { fetchServiceVersion } from '#web/api/queries/service-version.ts';
import { showToast } from '#web/ui/toast-store.ts';

/** Replaced by the build. */
declare const EMULSION_VERSION: string;

const CHECK_EVERY_MS = 600_000;

/** Offers to reload once the service has another version than this page. @returns a function that stops watching */
export function watchVersion(): () => void {
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
  const stop = () => {
    clearInterval(timer);
    timer = undefined;
    document.removeEventListener('visibilitychange', checkSoon);
    window.removeEventListener('online', checkSoon);
  };
  return stop;
}
