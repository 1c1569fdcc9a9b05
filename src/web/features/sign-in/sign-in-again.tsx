import { useLocation } from '@tanstack/react-router';
import { returnPath } from '#web/api/session/return-path.ts';
import { cancelSignInAgain } from '#web/api/session/sign-in-again.ts';
import { Dialog } from '#web/ui/dialog.tsx';
import { SignInForm } from './sign-in-form.tsx';

/** Confirms that the person is still there, before they change how they sign in. */
export function SignInAgain() {
  const from = useLocation({ select: (location) => returnPath(location.href) });
  return (
    <Dialog
      size="sm"
      open
      onClose={cancelSignInAgain}
      title="Sign in again"
      description="Passkeys and the mail address can be changed for ten minutes after a sign-in. What you typed stays here."
    >
      <div className="flex flex-col gap-4">
        <SignInForm from={from} takesKeys={false} onSignedIn={cancelSignInAgain} />
        <p className="text-sm text-ink-3">
          No other way? On the machine that runs the service, this prints a link:{' '}
          <code className="font-mono wrap-anywhere">npm run admin -- sign-in --person you@example.com</code>
        </p>
      </div>
    </Dialog>
  );
}
