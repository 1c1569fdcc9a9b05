import { renderToStaticMarkup } from 'react-dom/server';
import { cx } from '#web/ui/cx.ts';
import { Skeleton } from '#web/ui/display/skeleton.tsx';
import { Frame } from './frame.tsx';
import { navEntries } from './nav.ts';
import { PageSkeleton } from './page-skeleton.tsx';

/**
 * Renders the frame as plain markup for index.html, which shows it until the script has run. It is the same component
 * as the running frame, so nothing moves when that replaces it. Runs in the build only.
 */
export function renderFirstPaint(): string {
  return renderToStaticMarkup(
    <Frame
      entries={navEntries(null)}
      pendingReviews={0}
      renderLink={({ entry, className, children }) => (
        <a key={entry.label} href={entry.pages[0]?.to} className={className}>
          {children}
        </a>
      )}
      renderSearch={({ className, children }) => <span className={className}>{children}</span>}
      renderMore={({ className, children }) => <span className={className}>{children}</span>}
      account={<Placeholder className="h-11" />}
      accountCompact={<Placeholder className="h-9" />}
      pageList={null}
    >
      <PageSkeleton />
    </Frame>,
  );
}

function Placeholder({ className }: { className: string }) {
  return (
    <span className={cx('flex items-center gap-2.5 px-2', className)}>
      <Skeleton className="size-7 flex-none" />
      <Skeleton className="h-3.5 w-20 max-xl:hidden" />
    </span>
  );
}
