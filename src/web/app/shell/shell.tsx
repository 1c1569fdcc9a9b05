import { useEffect, useLayoutEffect, type ReactNode } from 'react';
import { Link, Outlet, useRouter, useRouterState, useLocation } from '@tanstack/react-router';
import { Keyboard, Monitor, Moon, Search, Sun } from 'lucide-react';
import { usePermissions } from '#web/api/queries/permissions.ts';
import { IconButton } from '#web/ui/icon-button.tsx';
import { lazyComponent } from '#web/ui/lazy-component.tsx';
import { showToast } from '#web/ui/toast-store.ts';
import { AccountMenu } from './account-menu.tsx';
import { startShortcuts, useCommands, type Command } from '#web/ui/commands.ts';
import { Frame, PendingCount } from './frame.tsx';
import { navEntries, type NavEntry } from './nav.ts';
import { showOverlay, useOverlay } from './overlay.ts';
import { usePendingCount } from './pending-count.ts';
import { setTheme, useTheme } from '#web/ui/theme.ts';
import { ThemeMenu, THEME_OPTIONS, THEME_ORDER } from './theme-menu.tsx';
import { ActivityPill } from '#web/features/activity/activity-pill.tsx';
import { Popover } from '#web/ui/popover.tsx';
import { menuItemClass } from '#web/ui/menu.tsx';
import { SegmentedControl } from '#web/ui/segmented-control.tsx';

const AlertBell = lazyComponent(
  async () => (await import('#web/features/alerts/alert-bell.tsx')).AlertBell,
  () => null,
);

function NavigationProgress() {
  const isPending = useRouterState({ select: ({ status }) => status === 'pending' });
  return isPending ? <div aria-hidden="true" className="pending-bar" /> : null;
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
}, LoadLater);

const Banners = lazyComponent(async () => (await import('./banners.tsx')).Banners, LoadLater);

function LoadLater({ onRetry }: { onRetry: () => void }) {
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
  const pendingReviews = usePendingCount();
  const bell = permissions?.includes('alerts.read') ? <AlertBell /> : null;
  const activity = (isCompact: boolean) =>
    permissions?.includes('work.create') ? <ActivityPill isCompact={isCompact} /> : null;
  const entries = navEntries(permissions);
  useLayoutEffect(startShortcuts, []);
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
        account={
          <>
            {activity(false)}
            <AccountMenu />
          </>
        }
        accountCompact={
          <span className="flex items-center gap-1">
            {activity(true)}
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

interface MoreMenuProps {
  entries: readonly NavEntry[];
  pendingReviews: number;
  className: string;
  children: ReactNode;
}

function MoreMenu({ entries, pendingReviews, className, children }: MoreMenuProps) {
  const others = entries.filter((entry) => !entry.bar);
  const isActive = useLocation({ select: ({ pathname }) => others.some(({ to }) => pathname.startsWith(to)) });
  return (
    <Popover
      side="top"
      align="end"
      aria-label="More"
      className="w-72 p-1.5"
      renderTrigger={(props) => (
        <button type="button" {...props} aria-current={isActive || undefined} className={className}>
          {children}
        </button>
      )}
    >
      {(close) => <MoreMenuContent entries={others} pendingReviews={pendingReviews} close={close} />}
    </Popover>
  );
}

interface MoreMenuContentProps {
  entries: readonly NavEntry[];
  pendingReviews: number;
  close: () => void;
}

function MoreMenuContent({ entries, pendingReviews, close }: MoreMenuContentProps) {
  return (
    <>
      <ul>
        {entries.map((entry) => (
          <li key={entry.to}>
            <Link to={entry.to} onClick={close} className={menuItemClass}>
              <entry.icon aria-hidden="true" />
              {entry.label}
              {entry.showsPendingReviews && pendingReviews > 0 ? (
                <PendingCount count={pendingReviews} className="ml-auto" />
              ) : null}
            </Link>
          </li>
        ))}
      </ul>
      <div className="mt-1.5 border-t border-line pt-2">
        <ThemeControl />
      </div>
    </>
  );
}

function ThemeControl() {
  const theme = useTheme();
  return (
    <SegmentedControl
      label="Theme"
      stretch
      value={theme}
      onChange={setTheme}
      options={THEME_ORDER.map((value) => {
        const { label, icon: Icon } = THEME_OPTIONS[value];
        return {
          value,
          label: (
            <>
              <Icon aria-hidden="true" className="size-4" />
              {label}
            </>
          ),
        };
      })}
    />
  );
}
