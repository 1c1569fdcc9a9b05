import { Link } from '@tanstack/react-router';
import { menuItemClass } from '#web/ui/menu.tsx';
import { PendingCount } from './frame.tsx';
import type { NavEntry } from './nav.ts';
import { ThemeControl } from './theme-control.tsx';

interface MoreMenuContentProps {
  entries: readonly NavEntry[];
  pendingReviews: number;
  close: () => void;
}

export function MoreMenuContent({ entries, pendingReviews, close }: MoreMenuContentProps) {
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
