import { useEffect, useState } from 'react';
import { playSound } from '#web/notifications/play-sound.ts';
import {
  requestNotificationPermission,
  notificationSupport,
  showNotification,
} from '#web/notifications/browser-notifications.ts';
import { setCompletionPreferences, useCompletionPreferences } from '#web/notifications/completion-preferences.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { Card } from '#web/ui/display/card.tsx';
import { Switch } from '#web/ui/controls/checkbox.tsx';

const NOTIFICATION_HINTS = {
  possible: 'Your browser asks for permission first.',
  refused: 'Your browser blocks notifications from this page. Allow them in its settings, then turn this on.',
  impossible: 'Not available here. Notifications need HTTPS, and some phones do not support them.',
};

export function NotificationSettings() {
  const { notify, sound } = useCompletionPreferences();
  const [support, setSupport] = useState(notificationSupport);
  useEffect(() => {
    // The permission may have changed in the browser's settings.
    const updateSupport = () => setSupport(notificationSupport());
    window.addEventListener('focus', updateSupport);
    return () => window.removeEventListener('focus', updateSupport);
  }, []);
  const change = async (on: boolean) => {
    const shown =
      on &&
      (await requestNotificationPermission()) &&
      showNotification('Notifications are on', 'You will see this when all work has finished.');
    setSupport(on && !shown && notificationSupport() === 'possible' ? 'impossible' : notificationSupport());
    setCompletionPreferences({ notify: shown });
  };
  const on = notify && support === 'possible';
  return (
    <Card
      title="Notifications"
      description="The tab title shows when all work has finished. This device can also notify you."
    >
      <div className="flex flex-col gap-4">
        <Switch
          checked={on}
          disabled={support !== 'possible' && !on}
          onChange={(next) => void change(next)}
          label="Browser notifications"
          hint={
            on
              ? 'Shows how many generations succeeded or failed, without prompts or previews.'
              : NOTIFICATION_HINTS[support]
          }
        />
        <Switch
          checked={sound}
          onChange={(next) => {
            setCompletionPreferences({ sound: next });
            if (next) void playSound().catch(() => undefined);
          }}
          label="Completion sound"
          hint="Two soft notes."
        />
        {sound ? (
          <Button size="sm" className="self-start" onClick={() => void playSound().catch(() => undefined)}>
            Play sound
          </Button>
        ) : null}
      </div>
    </Card>
  );
}
