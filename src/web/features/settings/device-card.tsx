import { useState } from 'react';
import { getSessionScope, setSessionScope, useSession } from '#web/api/session/session.ts';
import { Card } from '#web/ui/card.tsx';
import { Switch } from '#web/ui/checkbox.tsx';

export function DeviceCard() {
  const signedIn = useSession() === 'signed_in';
  return (
    <Card title="This device" description="What this browser saves.">
      {signedIn ? (
        <StaySignedIn />
      ) : (
        <p className="text-ink-2">You are signed out. Form drafts stay in their tab until you close it.</p>
      )}
    </Card>
  );
}

function StaySignedIn() {
  const [scope, setScope] = useState(getSessionScope);
  if (scope === 'page') {
    return (
      <p className="text-ink-2">
        This service does not support sessions. You are signed out when you reload or close this tab.
      </p>
    );
  }
  return (
    <Switch
      checked={scope === 'device'}
      onChange={(remember) => {
        setSessionScope(remember ? 'device' : 'tab');
        setScope(getSessionScope());
      }}
      label="Stay signed in on this device"
      hint={
        scope === 'device'
          ? 'Until you sign out, or for 30 days without use. Turn this off on a shared device.'
          : 'You are signed out when you close this tab.'
      }
    />
  );
}
