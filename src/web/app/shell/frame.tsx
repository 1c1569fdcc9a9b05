import type { ReactNode } from 'react';
import { Ellipsis, Search } from 'lucide-react';
import { cx } from '#web/ui/cx.ts';
import { Kbd } from '#web/ui/display/kbd.tsx';
import { Logo } from '#web/ui/display/logo.tsx';
import type { NavEntry } from './nav.ts';

/** Parts of the frame. For the first paint, index.html gets the same frame with static parts. */
export interface FrameProps {
  entries: readonly NavEntry[];
  pendingReviews: number;
  /** Shown with the entry for money. */
  funds?: ReactNode;
  renderLink: (props: { entry: NavEntry; className: string; children: ReactNode }) => ReactNode;
  renderSearch: (props: { className: string; children: ReactNode }) => ReactNode;
  renderMore: (props: { className: string; children: ReactNode }) => ReactNode;
  account: ReactNode;
  accountCompact: ReactNode;
  /** A column beside the content, or a row above it. */
  pageList: ReactNode;
  children: ReactNode;
}

const sideLinkClass = cx(
  'group/link relative flex items-center rounded-md text-ink-2 transition-colors hover:bg-hover hover:text-ink',
  'max-xl:min-h-14 max-xl:flex-col max-xl:justify-center max-xl:gap-0.5 max-xl:py-1.5 max-xl:text-2xs xl:h-9 xl:gap-2.5 xl:px-2.5',
  'aria-[current=page]:bg-press aria-[current=page]:text-ink',
  'before:absolute before:-left-2 before:h-4 before:w-0.5 before:rounded-full before:bg-amber before:opacity-0 xl:before:-left-3 aria-[current=page]:before:opacity-100',
);

const barItemClass =
  'flex min-w-0 flex-col items-center justify-center gap-0.5 text-2xs font-medium text-ink-3 aria-[current]:text-ink [&[aria-current]>svg]:text-amber-text';

/**
 * Renders the navigation, the account and the content: a side bar (labels below icons on a tablet), or bars above and
 * below on a phone.
 */
export function Frame({
  entries,
  pendingReviews,
  funds,
  renderLink,
  renderSearch,
  renderMore,
  account,
  accountCompact,
  pageList,
  children,
}: FrameProps) {
  return (
    <div className="min-h-dvh md:grid md:grid-cols-[5.5rem_minmax(0,1fr)] xl:grid-cols-[14.5rem_minmax(0,1fr)]">
      <a
        href="#main"
        className="fixed top-2 left-2 z-50 -translate-y-16 rounded-md bg-amber px-3 py-2 font-semibold text-amber-ink focus:translate-y-0"
      >
        Skip to content
      </a>
      <aside className="film-edge sticky top-0 z-20 hidden h-dvh flex-col px-2 pt-4 pb-3 md:flex xl:px-3">
        <div className="flex h-8 items-center gap-2.5 px-2.5 max-xl:justify-center">
          <Logo />
          <span className="text-md font-semibold tracking-[-0.02em] max-xl:sr-only">Emulsion</span>
        </div>
        {renderSearch({
          className:
            'mt-4 mb-5 flex h-9 items-center gap-2.5 rounded-md border border-line bg-surface px-2.5 text-sm text-ink-3 transition-colors hover:border-line-strong hover:text-ink-2 max-xl:mx-3 max-xl:justify-center max-xl:px-0',
          children: (
            <>
              <Search aria-hidden="true" className="size-4 flex-none" />
              <span className="flex-1 text-left max-xl:sr-only">Jump to…</span>
              <Kbd keys="mod+k" className="max-xl:hidden" />
            </>
          ),
        })}
        <nav aria-label="Main" className="-mx-2 min-h-0 flex-1 overflow-y-auto px-2 py-0.5 xl:-mx-3 xl:px-3">
          <ul className="flex flex-col gap-0.5">
            {entries.map((entry) => (
              <li key={entry.label}>
                {renderLink({
                  entry,
                  className: sideLinkClass,
                  children: <SideLabel entry={entry} pendingReviews={pendingReviews} funds={funds} />,
                })}
              </li>
            ))}
          </ul>
        </nav>
        <div className="mt-2 border-t border-line pt-2">{account}</div>
      </aside>
      <div className="flex min-h-dvh min-w-0 flex-col max-md:pb-[calc(3.75rem+env(safe-area-inset-bottom))]">
        <header className="sticky top-0 z-20 flex h-13 items-center justify-between gap-3 border-b border-line bg-canvas px-4 md:hidden">
          <span className="flex items-center gap-2.5">
            <Logo />
            <span className="text-md font-semibold tracking-[-0.02em]">Emulsion</span>
          </span>
          {accountCompact}
        </header>
        <div
          className={cx(
            'flex min-w-0 flex-1 flex-col',
            pageList !== null && 'xl:grid xl:grid-cols-[13rem_minmax(0,1fr)]',
          )}
        >
          {pageList}
          <main id="main" tabIndex={-1} className="min-w-0 flex-1 outline-none">
            {children}
          </main>
        </div>
      </div>
      <nav
        aria-label="Main"
        className="fixed inset-x-0 bottom-0 z-20 grid h-[calc(3.75rem+env(safe-area-inset-bottom))] auto-cols-fr grid-flow-col border-t border-line bg-canvas pb-[env(safe-area-inset-bottom)] md:hidden"
      >
        {entries
          .filter((entry) => entry.bar)
          .map((entry) => renderLink({ entry, className: barItemClass, children: <BarLabel entry={entry} /> }))}
        {renderMore({
          className: barItemClass,
          children: (
            <>
              <span className="relative">
                <Ellipsis aria-hidden="true" className="size-5" />
                {pendingReviews > 0 ? <Dot className="-top-0.5 -right-1" /> : null}
              </span>
              More
              {pendingReviews > 0 ? <span className="sr-only">, review pending</span> : null}
            </>
          ),
        })}
      </nav>
    </div>
  );
}

interface SideLabelProps extends Pick<FrameProps, 'pendingReviews' | 'funds'> {
  entry: NavEntry;
}

function SideLabel({ entry, pendingReviews, funds }: SideLabelProps) {
  return (
    <>
      <entry.icon
        aria-hidden="true"
        className="size-4.5 flex-none stroke-[1.75] text-ink-3 group-hover/link:text-ink-2 group-aria-[current=page]/link:text-amber-text"
      />
      <span className="max-w-full truncate font-medium xl:flex-none">{entry.label}</span>
      {entry.showsFunds ? (
        <>
          {pendingReviews > 0 ? (
            <>
              <PendingCount count={pendingReviews} className="max-xl:hidden" />
              <Dot className="top-1.5 right-5 xl:hidden" />
            </>
          ) : null}
          {funds}
        </>
      ) : null}
    </>
  );
}

export function PendingCount({ count, className }: { count: number; className?: string }) {
  return (
    <span
      className={cx(
        'flex h-5 min-w-5 items-center justify-center rounded-sm bg-review-soft px-1 text-xs font-semibold text-review tabular-nums',
        className,
      )}
    >
      {count}
      <span className="sr-only"> pending</span>
    </span>
  );
}

function Dot({ className }: { className: string }) {
  return <span aria-hidden="true" className={cx('absolute size-1.5 rounded-full bg-review', className)} />;
}

function BarLabel({ entry }: { entry: NavEntry }) {
  return (
    <>
      <entry.icon aria-hidden="true" className="size-5 stroke-[1.75]" />
      {entry.label}
    </>
  );
}
