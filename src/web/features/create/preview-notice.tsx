import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { X } from 'lucide-react';
import { useState } from 'react';
import { meQuery } from '#web/api/queries/me.ts';
import { buttonClass } from '#web/ui/button.tsx';
import { Callout } from '#web/ui/callout.tsx';
import { IconButton } from '#web/ui/icon-button.tsx';

const STORAGE_KEY = 'emulsion.preview-notice';

function readDismissed(): boolean {
  try {
    return localStorage.getItem(STORAGE_KEY) !== null;
  } catch {
    return false;
  }
}

function storeDismissed(): void {
  try {
    localStorage.setItem(STORAGE_KEY, 'dismissed');
  } catch {
    // Without storage the notice returns with the next load.
  }
}

/** Says once per browser that no provider is connected. Only for signed-in people. */
export function PreviewNotice() {
  const [isDismissed, setDismissed] = useState(readDismissed);
  const me = useQuery(meQuery).data;
  // With a connection, all models are previews only while it is paused, which a banner says.
  if (isDismissed || !me || (me.providers?.connected ?? 0) > 0) return null;
  const canConnect = me.providers !== undefined;
  return (
    <div className="mb-4">
      <Callout
        title={`Results are previews until ${canConnect ? 'you connect' : 'your administrator connects'} a provider`}
        action={
          <span className="flex items-center gap-1">
            {canConnect ? (
              <Link to="/providers" className={buttonClass({ size: 'sm' })}>
                Connect a provider
              </Link>
            ) : null}
            <IconButton
              label="Dismiss"
              size="sm"
              icon={<X aria-hidden="true" className="size-4" />}
              onClick={() => {
                storeDismissed();
                setDismissed(true);
              }}
            />
          </span>
        }
      >
        They are examples drawn on this machine, not made by an AI model.
      </Callout>
    </div>
  );
}
