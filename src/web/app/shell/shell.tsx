import { useEffect, useLayoutEffect } from 'react';
import { useQuery } from '@tanstack/react-query';
import { Link, Outlet, useRouter, useRouterState } from '@tanstack/react-router';
import { Keyboard, Monitor, Moon, Search, Sun, CloudOff } from 'lucide-react';
import { meQuery } from '#web/api/queries/me.ts';
import { usePermissions } from '#web/api/queries/permissions.ts';
import { pendingReviewsQuery } from '#web/api/queries/pending-reviews.ts';
import { IconButton } from '#web/ui/icon-button.tsx';
import { lazyComponent } from '#web/ui/lazy-component.tsx';
import { showToast } from '#web/ui/toast-store.ts';
import { AccountMenu } from './account-menu.tsx';
import { startShortcuts, useCommands, type Command } from '#web/ui/commands.ts';
import { Frame } from './frame.tsx';
import { restoreLostFocus } from './restore-lost-focus.ts';
import { MoreMenu } from './more-menu.tsx';
import { navEntries } from './nav.ts';
import { showOverlay, useOverlay } from './overlay.ts';
import { setTheme } from '#web/ui/theme.ts';
import { ThemeMenu } from './theme-menu.tsx';
import { useSession } from '#web/api/session/session.ts';
import { useOnline } from './use-online.ts';

// The inline script of index.html reads the same name before the first paint.
const storage_name = 'emulsion.face';

/**
 * Loads the font for the next visit. On a slow connection it would delay the first page's script by a quarter of a
 * second, and swapping fonts while someone reads costs as much again. So the first visit on a phone uses the system
 * font.
 */
async function cacheFont(): Promise<void> {
  const faces = await document.fonts.load("1rem 'Inter Variable'", 'a').catch(() => []);
  if (faces.length === 0) return;
  try {
    localStorage.setItem(storage_name, '1');
  } catch {
    // Storage is forbidden here: the system font stays.
  }
}

const ExpiredNotice = lazyComponent(
  async () => (await import('#web/features/sign-in/expired-notice.tsx')).ExpiredNotice,
);

const PausedProvidersBanner = lazyComponent(
  async () => (await import('./paused-providers-banner.tsx')).PausedProvidersBanner,
  () => null,
);

const AlertBell = lazyComponent(
  async () => (await import('#web/features/alerts/alert-bell.tsx')).AlertBell,
  () => null,
);

const ProfileBanner = lazyComponent(
  async () => (await import('./profile-banner.tsx')).ProfileBanner,
  () => null,
);

function NavigationProgress() {
  const isPending = useRouterState({ select: ({ status }) => status === 'pending' });
  return isPending ? <div aria-hidden="true" className="pending-bar" /> : null;
}

function Banners() {
  const online = useOnline();
  const session = useSession();
  const me = useQuery({ ...meQuery, enabled: session === 'signed_in' }).data;
  const lacksProfile = session === 'signed_in' && me?.person?.role === 'administrator' && me.person.email === null;
  const paused = session === 'signed_in' ? (me?.providers?.paused ?? []) : [];
  return (
    <>
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
      {paused.length > 0 ? <PausedProvidersBanner paused={paused} /> : null}
      {lacksProfile ? <ProfileBanner /> : null}
    </>
  );
}

const Overlays = lazyComponent(async () => (await import('./overlays.tsx')).Overlays, OverlaysMissing);

/** Pressing the shortcut again tries again. */
function OverlaysMissing() {
  useEffect(() => {
    showOverlay(null);
    showToast({ title: 'This could not be loaded', detail: 'Check the connection and try again.', tone: 'bad' });
  }, []);
  return null;
}

const BACKGROUND_DELAY_MS = 400;
const BACKGROUND_RETRY_MS = 10_000;
/** Loads after the page; the page works without it. */
const BackgroundServices = lazyComponent(async () => {
  await new Promise((resolve) => setTimeout(resolve, BACKGROUND_DELAY_MS));
  return (await import('./background-services.tsx')).BackgroundServices;
}, BackgroundServicesMissing);

function BackgroundServicesMissing({ onRetry }: { onRetry: () => void }) {
  useEffect(() => {
    const timer = setTimeout(onRetry, BACKGROUND_RETRY_MS);
    return () => clearTimeout(timer);
  }, [onRetry]);
  return null;
}

export function Shell() {
  const overlay = useOverlay();
  const router = useRouter();
  const permissions = usePermissions();
  const canReview = permissions?.includes('reviews.read') ?? false;
  const listed = useQuery({ ...pendingReviewsQuery, enabled: canReview }).data?.length ?? 0;
  const pendingReviews = canReview ? listed : 0;
  const bell = permissions?.includes('alerts.read') ? <AlertBell /> : null;
  const entries = navEntries(permissions);
  useLayoutEffect(startShortcuts, []);
  useLayoutEffect(restoreLostFocus, []);
  useEffect(() => void cacheFont(), []);
  useFocusOnNewPage();
  useCommands([
    ...entries.map(({ to, label, icon, keys }): Command => ({
      group: 'Go to',
      label,
      icon,
      keys,
      run: () => void router.navigate({ to }),
    })),
    {
      group: 'General',
      label: 'Jump to a page or action',
      icon: Search,
      keys: 'mod+k',
      hiddenInPalette: true,
      run: () => showOverlay('palette'),
    },
    { group: 'General', label: 'Keyboard shortcuts', icon: Keyboard, keys: '?', run: () => showOverlay('keys') },
    { group: 'Theme', label: 'System theme', icon: Monitor, run: () => setTheme('system') },
    { group: 'Theme', label: 'Light theme', icon: Sun, run: () => setTheme('light') },
    { group: 'Theme', label: 'Dark theme', icon: Moon, run: () => setTheme('dark') },
  ]);
  return (
    <>
      <NavigationProgress />
      <Frame
        entries={entries}
        pendingReviews={pendingReviews}
        renderLink={({ to, className, tooltip, children }) => (
          <Link key={to} to={to} className={className} data-tooltip={tooltip} activeOptions={{ exact: to === '/' }}>
            {children}
          </Link>
        )}
        renderSearch={({ className, children }) => (
          <button type="button" className={className} onClick={() => showOverlay('palette')}>
            {children}
          </button>
        )}
        renderMore={(props) => <MoreMenu {...props} entries={entries} pendingReviews={pendingReviews} />}
        account={<AccountMenu />}
        accountCompact={
          <span className="flex items-center gap-1">
            {bell}
            <AccountMenu compact />
          </span>
        }
        tools={
          <>
            <ThemeMenu />
            <IconButton
              label="Keyboard shortcuts"
              className="max-xl:hidden"
              icon={<Keyboard aria-hidden="true" className="size-4" />}
              onClick={() => showOverlay('keys')}
            />
            {bell}
          </>
        }
      >
        <Banners />
        <Outlet />
      </Frame>
      {overlay ? <Overlays overlay={overlay} /> : null}
      <BackgroundServices />
    </>
  );
}

/** Focuses the heading of a new page, but not when a panel opens on the same page. */
function useFocusOnNewPage() {
  const router = useRouter();
  useEffect(() => {
    const pageOf = () => router.state.matches[1]?.routeId;
    let before = pageOf();
    return router.subscribe('onRendered', ({ fromLocation }) => {
      const page = pageOf();
      const stays = page === before;
      before = page;
      if (!fromLocation || stays) return;
      const main = document.getElementById('main');
      const heading = main?.querySelector<HTMLElement>('h1[tabindex]');
      if (!main?.contains(document.activeElement) || document.activeElement === main)
        (heading ?? main)?.focus({ preventScroll: true });
    });
  }, [router]);
}
