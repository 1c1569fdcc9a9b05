import { useState } from 'react';
import { Button } from '#web/ui/button.tsx';
import { Callout } from '#web/ui/callout.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { SignInForm } from '#web/session/sign-in-form.tsx';
import { signOut } from '#web/session/session.ts';

/** Shown over whatever was being done when the key stopped working: signing in again keeps the page as it is. */
export function ExpiredNotice() {
  const [open, setOpen] = useState(true);
  return (
    <>
      <div className="px-4 pt-4 md:px-8">
        <Callout
          tone="bad"
          title="Your key no longer works"
          action={
            <Button size="sm" onClick={() => setOpen(true)}>
              Sign in
            </Button>
          }
        >
          What you typed is kept.
        </Callout>
      </div>
      <Dialog
        size="sm"
        open={open}
        onClose={() => setOpen(false)}
        title="Your key no longer works"
        description="It was revoked or replaced. Sign in with another one and carry on: what you typed is kept."
      >
        <SignInForm onSignedIn={() => setOpen(false)}>
          <Button variant="ghost" onClick={signOut}>
            Sign out instead
          </Button>
        </SignInForm>
      </Dialog>
    </>
  );
}
