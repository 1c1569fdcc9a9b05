import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { CirclePause, CloudOff, UserRound, X } from 'lucide-react';
import { useState, useSyncExternalStore } from 'react';
import type { Me } from '#contract/resources/api-key.ts';
import { meQuery } from '#web/api/queries/me.ts';
import { useSession } from '#web/api/session/session.ts';
import { useIsSignInAgainRequested } from '#web/api/session/sign-in-again.ts';
import { IconButton } from '#web/ui/icon-button.tsx';
import { lazyComponent } from '#web/ui/lazy-component.tsx';

const ExpiredNotice = lazyComponent(
  async () => (await import('#web/features/sign-in/expired-notice.tsx')).ExpiredNotice,
);
const SignInAgain = lazyComponent(async () => (await import('#web/features/sign-in/sign-in-again.tsx')).SignInAgain);

/** Shows what concerns every page: the connection, the session, paused providers, an incomplete profile. */
export function Banners() {
  const online = useOnline();
  const session = useSession();
  const me = useQuery({ ...meQuery, enabled: session === 'signed_in' }).data;
  const signsInAgain = useIsSignInAgainRequested();
  const person = session === 'signed_in' ? me?.person : null;
  const lacksProfile = person?.role === 'administrator' && person.email === null && !person.pending_email;
  const paused = session === 'signed_in' ? (me?.providers?.paused ?? []) : [];
  return (
    <div ref={keepBannerHeight}>
      <output className="block">
        {online ? null : (
          <span className="flex items-center gap-2.5 border-b border-line bg-amber-soft px-4 py-2 text-sm md:px-8">
            <CloudOff aria-hidden="true" className="size-4 flex-none text-amber-text" />
            <span>
              <strong className="font-semibold">You are offline.</strong> Data may be out of date. Running work
              continues, and your drafts are saved.
            </span>
          </span>
        )}
      </output>
      {session === 'expired' ? <ExpiredNotice /> : null}
      {signsInAgain ? <SignInAgain /> : null}
      {paused.length > 0 ? <PausedProvidersBanner paused={paused} /> : null}
      {lacksProfile ? <ProfileBanner /> : null}
    </div>
  );
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
            <strong className="font-semibold">{name} is paused</strong>
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

const dismissed_name = 'emulsion.profile-banner';

function readDismissed(): boolean {
  try {
    return localStorage.getItem(dismissed_name) !== null;
  } catch {
    return false;
  }
}

/** Asks the first administrator once for a name and a mail address. */
function ProfileBanner() {
  const [isDismissed, setDismissed] = useState(readDismissed);
  if (isDismissed) return null;
  const dismiss = () => {
    setDismissed(true);
    try {
      localStorage.setItem(dismissed_name, 'dismissed');
    } catch {
      // Without storage the banner returns with the next load.
    }
  };
  return (
    <div className="flex items-center gap-2.5 border-b border-line bg-surface px-4 py-1.5 text-sm md:px-8">
      <UserRound aria-hidden="true" className="size-4 flex-none text-ink-3" />
      <span className="min-w-0 flex-1">Add your name and mail address, so that others recognize your work.</span>
      <Link to="/account" className="flex-none font-medium underline underline-offset-2">
        Your account
      </Link>
      <IconButton size="sm" label="Dismiss" icon={<X aria-hidden="true" className="size-4" />} onClick={dismiss} />
    </div>
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
