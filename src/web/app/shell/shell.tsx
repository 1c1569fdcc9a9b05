import { useEffect, useLayoutEffect, type ReactNode } from 'react';
import { Link, Outlet, useRouter, useRouterState, useLocation } from '@tanstack/react-router';
import { CircleHelp, Monitor, Moon, Search, Sun } from 'lucide-react';
import { usePermissions } from '#web/api/queries/permissions.ts';
import { lazyComponent } from '#web/ui/lazy-component.tsx';
import { showToast } from '#web/ui/overlays/toast-store.ts';
import { AccountMenu } from './account-menu.tsx';
import { useDraftRevision } from '#web/api/drafts/draft-storage.ts';
import { startShortcuts, useCommands, type Command } from '#web/ui/hooks/commands.ts';
import { Frame, PendingCount } from './frame.tsx';
import { findEntry, isPathOf, navEntries, type NavEntry, navPages } from './nav.ts';
import { NavFunds } from './nav-funds.tsx';
import { showOverlay, useOverlay } from './overlay.ts';
import { usePendingCount } from './pending-count.ts';
import { setTheme } from '#web/ui/theme.ts';
import { ActivityPill } from '#web/features/activity/activity-pill.tsx';
import { Popover } from '#web/ui/overlays/popover.tsx';
import { menuItemClass } from '#web/ui/overlays/menu.tsx';

const AlertBell = lazyComponent(
  async () => (await import('#web/features/alerts/alert-bell.tsx')).AlertBell,
  () => null,
);

const AnswerBell = lazyComponent(
  async () => (await import('#web/features/alerts/answer-bell.tsx')).AnswerBell,
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
  const pathname = useLocation({ select: (location) => location.pathname });
  const entries = navEntries(permissions);
  const current = findEntry(entries, pathname);
  const bell = permissions?.includes('alerts.read') ? (
    <AlertBell />
  ) : permissions?.includes('work.create') ? (
    <AnswerBell />
  ) : null;
  const activity = (isCompact: boolean) =>
    permissions?.includes('work.create') ? <ActivityPill isCompact={isCompact} /> : null;
  useLayoutEffect(startShortcuts, []);
  useCommands([
    ...navPages(permissions).map(({ to, label, icon, keys }): Command => ({
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
    { group: 'General', label: 'Help', icon: CircleHelp, keys: '?', run: () => showOverlay('help') },
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
        funds={<NavFunds />}
        renderLink={({ entry, className, children }) => (
          <EntryLink key={entry.label} entry={entry} isCurrent={entry === current} className={className}>
            {children}
          </EntryLink>
        )}
        renderSearch={({ className, children }) => (
          <button type="button" className={className} onClick={() => showOverlay('palette')}>
            {children}
          </button>
        )}
        renderMore={(props) => (
          <MoreMenu {...props} entries={entries} current={current} pendingReviews={pendingReviews} />
        )}
        account={
          <>
            {activity(false)}
            <div className="flex items-center gap-1 max-xl:flex-col-reverse">
              <AccountMenu />
              {bell}
            </div>
          </>
        }
        accountCompact={
          <span className="flex items-center gap-1">
            {activity(true)}
            {bell}
            <AccountMenu compact />
          </span>
        }
        pageList={current?.listsPages ? <PageList entry={current} pathname={pathname} /> : null}
      >
        <Banners />
        <Outlet key={useDraftRevision()} />
      </Frame>
      {overlay ? <Overlays overlay={overlay} /> : null}
      <BackgroundServices />
    </>
  );
}

interface EntryLinkProps {
  entry: NavEntry;
  isCurrent: boolean;
  className: string;
  onClick?: () => void;
  children: ReactNode;
}

function EntryLink({ entry, isCurrent, ...props }: EntryLinkProps) {
  return <Link to={entry.pages[0]?.to ?? '/'} aria-current={isCurrent ? 'page' : undefined} {...props} />;
}

const scrollIntoRow = (link: HTMLElement | null) => link?.scrollIntoView({ block: 'nearest', inline: 'nearest' });

/** The pages of an entry: a column beside the open page, or a row above it. */
function PageList({ entry, pathname }: { entry: NavEntry; pathname: string }) {
  return (
    <nav
      aria-label={entry.label}
      className="max-xl:overflow-x-auto max-xl:border-b max-xl:border-line max-xl:px-4 md:max-xl:px-6 xl:sticky xl:top-0 xl:max-h-dvh xl:self-start xl:overflow-y-auto xl:border-r xl:border-line xl:px-3 xl:py-8"
    >
      <ul className="flex gap-0.5 max-xl:w-max max-xl:py-1.5 xl:min-h-[calc(100dvh-4rem)] xl:flex-col">
        {entry.pages.map((page) => (
          <li key={page.to}>
            <Link
              to={page.to}
              ref={isPathOf(pathname)(page) ? scrollIntoRow : undefined}
              aria-current={isPathOf(pathname)(page) ? 'page' : undefined}
              className="flex h-8 items-center rounded-md px-2.5 text-sm whitespace-nowrap text-ink-2 transition-colors hover:bg-hover hover:text-ink aria-[current=page]:bg-press aria-[current=page]:font-medium aria-[current=page]:text-ink pointer-coarse:h-10"
            >
              {page.label}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}

interface MoreMenuProps {
  entries: readonly NavEntry[];
  current: NavEntry | undefined;
  pendingReviews: number;
  className: string;
  children: ReactNode;
}

function MoreMenu({ entries, current, pendingReviews, className, children }: MoreMenuProps) {
  const others = entries.filter((entry) => !entry.bar);
  const isActive = current !== undefined && others.includes(current);
  return (
    <Popover
      side="top"
      align="end"
      aria-label="More"
      className="w-60 p-1.5"
      renderTrigger={(props) => (
        <button type="button" {...props} aria-current={isActive || undefined} className={className}>
          {children}
        </button>
      )}
    >
      {(close) => (
        <ul>
          {others.map((entry) => (
            <li key={entry.label}>
              <EntryLink entry={entry} isCurrent={entry === current} onClick={close} className={menuItemClass}>
                <entry.icon aria-hidden="true" />
                {entry.label}
                {entry.showsFunds && pendingReviews > 0 ? (
                  <PendingCount count={pendingReviews} className="ml-auto" />
                ) : null}
              </EntryLink>
            </li>
          ))}
        </ul>
      )}
    </Popover>
  );
}
