import { useEffect, useState } from 'react';
import { chime } from '#web/away/chime.ts';
import { askForNotices, noticeState, showNotice } from '#web/away/notice.ts';
import { setWhenDone, useWhenDone } from '#web/away/when-done.ts';
import { Button } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { Switch } from '#web/ui/checkbox.tsx';

const HINTS = {
  possible: 'Your browser asks you once whether this page may.',
  refused: 'Your browser blocks notifications of this page. Allow them in its settings, then switch this on.',
  impossible: 'Not possible here: browsers show them for addresses with https alone, and some phones not at all.',
};

/** How this device tells that everything is done while nobody looks. */
export function WhenDone() {
  const { notify, sound } = useWhenDone();
  const [state, setState] = useState(noticeState);
  useEffect(() => {
    // It may have been changed in the browser's settings.
    const look = () => setState(noticeState());
    window.addEventListener('focus', look);
    return () => window.removeEventListener('focus', look);
  }, []);
  const change = async (on: boolean) => {
    const shown = on && (await askForNotices()) && showNotice('Notifications are on', 'This is how it looks.');
    setState(on && !shown && noticeState() === 'possible' ? 'impossible' : noticeState());
    setWhenDone({ notify: shown });
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
          hint={on ? 'It says how many are done and how many failed, and nothing of what they are.' : HINTS[state]}
        />
        <Switch
          checked={sound}
          onChange={(next) => {
            setWhenDone({ sound: next });
            if (next) void chime().catch(() => undefined);
          }}
          label="Play a sound"
          hint="Two soft notes."
        />
        {sound ? (
          <Button size="sm" className="self-start" onClick={() => void chime().catch(() => undefined)}>
            Hear it
          </Button>
        ) : null}
      </div>
    </Card>
  );
}
