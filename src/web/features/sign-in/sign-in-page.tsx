import { getRouteApi } from '@tanstack/react-router';
import { Logo } from '#web/ui/logo.tsx';
import { useLinkToken } from '#web/api/session/link-token.ts';
import { SignInForm } from './sign-in-form.tsx';
import { returnPath } from '#web/api/session/return-path.ts';
import { useSession } from '#web/api/session/session.ts';

const route = getRouteApi('/sign-in');

/** Signs in with a link or a key, and returns to the page that asked for it. */
export function SignInPage() {
  const { from } = route.useSearch();
  const navigate = route.useNavigate();
  const signedIn = useSession() === 'signed_in';
  const linked = useLinkToken() !== null;
  return (
    <div className="mx-auto flex min-h-[calc(100dvh-9rem)] w-full max-w-104 flex-col justify-center px-4 py-10 md:min-h-dvh">
      <title>Sign in · Emulsion</title>
      <div className="frame-marks p-6 sm:p-8">
        <Logo className="mb-5 size-7" />
        <h1 tabIndex={-1} className="text-xl font-semibold tracking-[-0.015em] outline-none">
          {signedIn ? 'Switch to another account' : 'Sign in'}
        </h1>
        <p className="mt-1 mb-6 text-ink-2">{signInIntro(signedIn, linked)}</p>
        <SignInForm onSignedIn={() => void navigate({ href: returnPath(from), replace: true })} />
      </div>
    </div>
  );
}

function signInIntro(signedIn: boolean, linked: boolean): string {
  if (signedIn) return 'You are signed in. Signing in here replaces that session.';
  if (linked) return 'Your sign-in link is ready. It works once.';
  return 'Use an API key of this service, or ask its administrator for a sign-in link.';
}
