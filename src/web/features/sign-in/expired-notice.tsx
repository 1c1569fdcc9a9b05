import { useState } from 'react';
import { useLocation } from '@tanstack/react-router';
import { Button } from '#web/ui/button.tsx';
import { Callout } from '#web/ui/callout.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { SignInForm } from './sign-in-form.tsx';
import { returnPath } from '#web/api/session/return-path.ts';
import { signOut } from '#web/api/session/session.ts';

/** Shown over the page when the session has ended: signing in again keeps the page unchanged. */
export function ExpiredNotice() {
  const [open, setOpen] = useState(true);
  const from = useLocation({ select: (location) => returnPath(location.href) });
  return (
    <>
      <div className="px-4 pt-4 md:px-8">
        <Callout
          tone="bad"
          title="Your session has ended"
          action={
            <Button size="sm" onClick={() => setOpen(true)}>
              Sign in
            </Button>
          }
        >
          What you typed is still here.
        </Callout>
      </div>
      <Dialog
        size="sm"
        open={open}
        onClose={() => setOpen(false)}
        title="Your session has ended"
        description="It expired, or your access was removed. Sign in again to continue. What you typed is still here."
      >
        <div className="flex flex-col gap-4">
          <SignInForm from={from} onSignedIn={() => setOpen(false)} />
          <Button variant="ghost" onClick={signOut}>
            Sign out instead
          </Button>
        </div>
      </Dialog>
    </>
  );
}
