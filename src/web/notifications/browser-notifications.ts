export type NotificationSupport = 'possible' | 'refused' | 'impossible';

/** Whether the browser can show notifications; `refused`: only its settings can change that. */
export function notificationSupport(): NotificationSupport {
  if (typeof Notification === 'undefined' || !window.isSecureContext) return 'impossible';
  return Notification.permission === 'denied' ? 'refused' : 'possible';
}

export async function requestNotificationPermission(): Promise<boolean> {
  if (notificationSupport() !== 'possible') return false;
  return (await Notification.requestPermission()) === 'granted';
}

/**
 * Shows a notification, which replaces the one before. A click brings this tab to the front.
 * @returns whether it was shown; some mobile browsers throw
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
