import { useState } from 'react';
import { getKey, isRemembered, signIn, useSession } from '#web/session/session.ts';
import { Card } from '#web/ui/card.tsx';
import { Switch } from '#web/ui/checkbox.tsx';

/** What is kept in this browser. */
export function ThisDevice() {
  const signedIn = useSession() === 'signed_in';
  const [remembered, setRemembered] = useState(isRemembered);
  const change = (remember: boolean) => {
    const key = getKey();
    if (key === null) return;
    signIn(key, { remember });
    setRemembered(isRemembered());
  };
  return (
    <Card title="This device" description="What this browser keeps.">
      {signedIn ? (
        <Switch
          checked={remembered}
          onChange={change}
          label="Stay signed in on this device"
          hint={
            remembered
              ? 'Your key is kept in this browser until you sign out. Switch this off on a device that others use.'
              : 'Your key is kept nowhere and forgotten when you close or reload this tab.'
          }
        />
      ) : (
        <p className="text-ink-2">No key is kept here. What you type in a form stays in its tab until you close it.</p>
      )}
    </Card>
  );
}
