import { getRouteApi, Link } from '@tanstack/react-router';
import { useLinkToken } from '#web/api/session/link-token.ts';
import { returnPath } from '#web/api/session/return-path.ts';
import { useSession } from '#web/api/session/session.ts';
import { Callout } from '#web/ui/display/callout.tsx';
import { SignInForm } from './sign-in-form.tsx';
import { SignInFrame } from './sign-in-frame.tsx';
import type { OidcError } from '#contract/resources/session.ts';

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
      <p className="mt-4 flex flex-wrap gap-x-4 gap-y-1 text-sm">
        <Link to="/models" className="text-ink-2 underline underline-offset-2 hover:text-ink">
          Models & prices
        </Link>
        <Link to="/docs" className="text-ink-2 underline underline-offset-2 hover:text-ink">
          Connect a tool
        </Link>
        <a href="/verify" className="text-ink-2 underline underline-offset-2 hover:text-ink">
          Check content credentials
        </a>
      </p>
    </SignInFrame>
  );
}

function signInIntro(signedIn: boolean, linked: boolean): string {
  if (signedIn) return 'You are signed in. Signing in here replaces that session.';
  if (linked) return 'Your sign-in link is ready. It works once.';
  return 'New here? Ask your administrator for an invitation.';
}

const MESSAGES: Readonly<Record<OidcError, string>> = {
  oidc_denied: 'The sign-in was canceled at your identity provider.',
  oidc_expired: 'The sign-in took too long, or began in another browser. Try again.',
  oidc_failed: 'Your identity provider did not respond as expected. Try again, or ask your administrator.',
  oidc_email_unverified: 'Your identity provider has not verified your mail address. Verify it there, then try again.',
  oidc_domain: 'People with your mail address cannot sign in here. Use the address of your organization.',
  oidc_not_invited: 'Nobody has invited your mail address yet. Ask an administrator for an invitation.',
  oidc_removed: 'Your account was removed from this organization. Ask an administrator to invite you again.',
};

/** Returns the sentence for the parameter `error` of the page, where the identity provider's callback leads. */
const oidcErrorMessage = (code: string): string =>
  Object.hasOwn(MESSAGES, code) ? MESSAGES[code as OidcError] : 'You could not be signed in. Try again.';
