export const tab_id = Math.random().toString(36).slice(2, 12);

const PREFIX = 'emulsion.upload-tab.';
const HEARTBEAT_MS = 20_000;
/** Browsers may throttle the timers of a hidden tab to one a minute. */
const TAB_EXPIRY_MS = 150_000;

const writeHeartbeat = () => {
  try {
    localStorage.setItem(PREFIX + tab_id, String(Date.now()));
  } catch {
    // Without storage there are no uploads to claim.
  }
};

let timer: ReturnType<typeof setInterval> | undefined;

/** While it runs, other tabs do not claim the uploads of this one. */
export function startHeartbeat(): void {
  if (timer !== undefined) return;
  writeHeartbeat();
  timer = setInterval(writeHeartbeat, HEARTBEAT_MS);
  window.addEventListener('pagehide', () => {
    try {
      localStorage.removeItem(PREFIX + tab_id);
    } catch {
      // Without storage there is no heartbeat to remove.
    }
  });
  window.addEventListener('pageshow', writeHeartbeat);
}

export function isTabAlive(tab: string): boolean {
  if (tab === tab_id) return true;
  try {
    return Date.now() - Number(localStorage.getItem(PREFIX + tab) ?? 0) < TAB_EXPIRY_MS;
  } catch {
    return false;
  }
}
