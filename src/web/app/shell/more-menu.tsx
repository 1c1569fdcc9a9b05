import type { ReactNode } from 'react';
import { Link, useLocation } from '@tanstack/react-router';
import { menuItemClass } from '#web/ui/menu.tsx';
import { Popover } from '#web/ui/popover.tsx';
import { PendingCount } from './frame.tsx';
import type { NavEntry } from './nav.ts';
import { ThemeControl } from './theme-menu.tsx';

export interface MoreMenuProps {
  entries: readonly NavEntry[];
  pendingReviews: number;
  className: string;
  children: ReactNode;
}

export function MoreMenu({ entries, pendingReviews, className, children }: MoreMenuProps) {
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
      {(close) => (
        <>
          <ul>
            {others.map((entry) => (
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
      )}
    </Popover>
  );
}
