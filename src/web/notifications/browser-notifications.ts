export type NotificationSupport = 'possible' | 'refused' | 'impossible';

/** Whether this browser shows notifications of this page; `refused`: only its own settings can change that. */
export function notificationSupport(): NotificationSupport {
  if (typeof Notification === 'undefined' || !window.isSecureContext) return 'impossible';
  return Notification.permission === 'denied' ? 'refused' : 'possible';
}

/** Asks the person, where they have not been asked before. */
export async function requestNotificationPermission(): Promise<boolean> {
  if (notificationSupport() !== 'possible') return false;
  return (await Notification.requestPermission()) === 'granted';
}

/**
 * Shows a notification; one at a time, the newest. Pressed, it brings this tab to the front.
 * @returns whether it could be shown: some phones have none for pages
 */
export function showNotification(title: string, body: string): boolean {
  if (notificationSupport() !== 'possible' || Notification.permission !== 'granted') return false;
  try {
    const notice = new Notification(title, { body, tag: 'emulsion-done', icon: '/favicon.svg' });
    notice.addEventListener('click', () => {
      window.focus();
      notice.close();
    });
    return true;
  } catch {
    return false;
  }
}
