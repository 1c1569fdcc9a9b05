import { useQuery } from '@tanstack/react-query';
import { Link, useLocation } from '@tanstack/react-router';
import { CirclePause, CloudOff } from 'lucide-react';
import { useState, useSyncExternalStore } from 'react';
import type { Me } from '#contract/resources/api-key.ts';
import { meQuery } from '#web/api/queries/me.ts';
import { useSession, signOut } from '#web/api/session/session.ts';
import { useIsSignInAgainRequested, cancelSignInAgain } from '#web/api/session/sign-in-again.ts';
import { useAreDraftsStored } from '#web/api/drafts/draft-storage.ts';
import { returnPath } from '#web/api/session/return-path.ts';
import { Dialog } from '#web/ui/overlays/dialog.tsx';
import { SignInForm } from '#web/features/sign-in/sign-in-form.tsx';
import { Button } from '#web/ui/controls/button.tsx';
import { Callout } from '#web/ui/display/callout.tsx';

/** Shows what concerns every page, one at a time: the session, the connection, paused providers. */
export function Banners() {
  const online = useOnline();
  const session = useSession();
  const me = useQuery({ ...meQuery, enabled: session === 'signed_in' }).data;
  const signsInAgain = useIsSignInAgainRequested();
  const paused = session === 'signed_in' ? (me?.providers?.paused ?? []) : [];
  return (
    <div
      ref={keepBannerHeight}
      className="lg:in-data-order-bar:sticky lg:in-data-order-bar:top-0 lg:in-data-order-bar:z-20"
    >
      <output className="block">
        {online || session === 'expired' ? null : (
          <span className="flex items-center gap-2.5 border-b border-line bg-amber-soft px-4 py-2 text-sm md:px-8">
            <CloudOff aria-hidden="true" className="size-4 flex-none text-amber-text" />
            <span>
              <strong className="font-semibold">You are offline.</strong> Data may be out of date. Running work
              continues. <DraftsSaved />
            </span>
          </span>
        )}
      </output>
      {session === 'expired' ? <ExpiredNotice /> : null}
      {signsInAgain ? <SignInAgain /> : null}
      {online && paused.length > 0 ? <PausedProvidersBanner paused={paused} /> : null}
    </div>
  );
}

/** The promise, or what to do where it can't be kept. */
function DraftsSaved() {
  return useAreDraftsStored()
    ? 'Your drafts are saved on this device.'
    : 'Keep this tab open: your drafts are too large to be saved on this device.';
}

/** Side panels leave room for the banners above the page. */
function keepBannerHeight(banners: HTMLElement | null) {
  if (!banners) return;
  const { style } = document.documentElement;
  const observer = new ResizeObserver(() =>
    style.setProperty('--banner-height', `${banners.getBoundingClientRect().height}px`),
  );
  observer.observe(banners);
  return () => {
    observer.disconnect();
    style.removeProperty('--banner-height');
  };
}

type PausedProviders = NonNullable<Me['providers']>['paused'];

function PausedProvidersBanner({ paused }: { paused: PausedProviders }) {
  return (
    <output className="flex items-start gap-2.5 border-b border-line bg-amber-soft px-4 py-2 text-sm md:px-8">
      <CirclePause aria-hidden="true" className="mt-0.5 size-4 flex-none text-amber-text" />
      <span className="min-w-0 flex-1 wrap-anywhere">
        {paused.map(({ id, name, reason }) => (
          <span key={id} className="block">
            <strong className="font-semibold">
              <bdi>{name}</bdi> is paused
            </strong>
            {reason ? `: ${reason}` : '.'}
          </span>
        ))}
      </span>
      <Link to="/providers" className="flex-none font-medium underline underline-offset-2">
        Providers
      </Link>
    </output>
  );
}

function subscribe(listener: () => void) {
  window.addEventListener('online', listener);
  window.addEventListener('offline', listener);
  return () => {
    window.removeEventListener('online', listener);
    window.removeEventListener('offline', listener);
  };
}

function useOnline(): boolean {
  return useSyncExternalStore(subscribe, () => navigator.onLine);
}

/** Confirms that the person is still there, before they change how they sign in. */
function SignInAgain() {
  const person = useQuery(meQuery).data?.person;
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
          No other way? On the machine that runs the service, this prints a link while it runs:{' '}
          <code className="font-mono wrap-anywhere select-all">{`npm run admin -- sign-in --person ${person?.email ?? person?.id ?? ''}`}</code>
        </p>
      </div>
    </Dialog>
  );
}

/** Shown over the page when the session has ended: signing in again keeps the page unchanged. */
function ExpiredNotice() {
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
