import { getRouteApi } from '@tanstack/react-router';
import { useLinkToken } from '#web/api/session/link-token.ts';
import { returnPath } from '#web/api/session/return-path.ts';
import { useSession } from '#web/api/session/session.ts';
import { Callout } from '#web/ui/callout.tsx';
import { oidcErrorMessage } from './oidc-errors.ts';
import { SignInForm } from './sign-in-form.tsx';
import { SignInFrame } from './sign-in-frame.tsx';

const route = getRouteApi('/sign-in');

/** Signs in, and returns to the page that asked for it. */
export function SignInPage() {
  const { from, error } = route.useSearch();
  const navigate = route.useNavigate();
  const signedIn = useSession() === 'signed_in';
  const linked = useLinkToken('/sign-in') !== null;
  const path = returnPath(from);
  return (
    <SignInFrame title={signedIn ? 'Switch to another account' : 'Sign in'} intro={signInIntro(signedIn, linked)}>
      {error === undefined ? null : (
        <div className="mb-4">
          <Callout tone="bad" title="You are not signed in">
            {oidcErrorMessage(error)}
          </Callout>
        </div>
      )}
      <SignInForm from={path} onSignedIn={() => void navigate({ href: path, replace: true })} />
      {linked ? null : (
        <p className="mt-5 text-sm text-ink-3">
          You stay signed in on this device until you sign out, or for 30 days without use.
        </p>
      )}
    </SignInFrame>
  );
}

function signInIntro(signedIn: boolean, linked: boolean): string {
  if (signedIn) return 'You are signed in. Signing in here replaces that session.';
  if (linked) return 'Your sign-in link is ready. It works once.';
  return 'New here? Ask your administrator for an invitation.';
}
