import { useEffect, useState } from 'react';
import { playSound } from '#web/notifications/play-sound.ts';
import {
  requestNotificationPermission,
  notificationSupport,
  showNotification,
} from '#web/notifications/browser-notifications.ts';
import { setCompletionPreferences, useCompletionPreferences } from '#web/notifications/completion-preferences.ts';
import { Button } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { Switch } from '#web/ui/checkbox.tsx';

const NOTIFICATION_HINTS = {
  possible: 'Your browser asks you once whether this page may.',
  refused: 'Your browser blocks notifications of this page. Allow them in its settings, then switch this on.',
  impossible: 'Not possible here: browsers show them for addresses with https alone, and some phones not at all.',
};

/** How this device tells that everything is done while nobody looks. */
export function NotificationSettings() {
  const { notify, sound } = useCompletionPreferences();
  const [state, setState] = useState(notificationSupport);
  useEffect(() => {
    // It may have been changed in the browser's settings.
    const look = () => setState(notificationSupport());
    window.addEventListener('focus', look);
    return () => window.removeEventListener('focus', look);
  }, []);
  const change = async (on: boolean) => {
    const shown =
      on &&
      (await requestNotificationPermission()) &&
      showNotification('Notifications are on', 'This is how it looks.');
    setState(on && !shown && notificationSupport() === 'possible' ? 'impossible' : notificationSupport());
    setCompletionPreferences({ notify: shown });
  };
  const on = notify && state === 'possible';
  return (
    <Card
      title="Notifications"
      description="When everything is done, the title of the tab says so. This device can also notify you."
    >
      <div className="flex flex-col gap-4">
        <Switch
          checked={on}
          disabled={state !== 'possible' && !on}
          onChange={(next) => void change(next)}
          label="Show a notification"
          hint={
            on
              ? 'It says how many are done and how many failed, and nothing of what they are.'
              : NOTIFICATION_HINTS[state]
          }
        />
        <Switch
          checked={sound}
          onChange={(next) => {
            setCompletionPreferences({ sound: next });
            if (next) void playSound().catch(() => undefined);
          }}
          label="Play a sound"
          hint="Two soft notes."
        />
        {sound ? (
          <Button size="sm" className="self-start" onClick={() => void playSound().catch(() => undefined)}>
            Hear it
          </Button>
        ) : null}
      </div>
    </Card>
  );
}
