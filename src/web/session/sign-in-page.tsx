import { getRouteApi } from '@tanstack/react-router';
import { Logo } from '#web/ui/logo.tsx';
import { SignInForm } from '#web/session/sign-in-form.tsx';
import { returnPath } from '#web/session/return-path.ts';
import { useSession } from '#web/session/session.ts';

const route = getRouteApi('/sign-in');

/** Where a key is given. Comes back to the page that asked for it. */
export function SignInPage() {
  const { from } = route.useSearch();
  const navigate = route.useNavigate();
  const signedIn = useSession() === 'signed_in';
  return (
    <div className="mx-auto flex min-h-[calc(100dvh-9rem)] w-full max-w-104 flex-col justify-center px-4 py-10 md:min-h-dvh">
      <title>Sign in · Emulsion</title>
      <div className="frame-marks p-6 sm:p-8">
        <Logo className="mb-5 size-7" />
        <h1 tabIndex={-1} className="text-xl font-semibold tracking-[-0.015em] outline-none">
          {signedIn ? 'Use another key' : 'Sign in'}
        </h1>
        <p className="mt-1 mb-6 text-ink-2">
          {signedIn
            ? 'You are signed in. Another key takes the place of the one in use.'
            : 'Your key opens the studio. Whoever runs this service can give you one.'}
        </p>
        <SignInForm onSignedIn={() => void navigate({ href: returnPath(from), replace: true })} />
      </div>
    </div>
  );
}
