import type { ReactNode } from 'react';
import { Link, useLocation } from '@tanstack/react-router';
import { menuItemClass } from '#web/ui/menu.tsx';
import { Popover } from '#web/ui/popover.tsx';
import { navEntries } from '#web/shell/nav.ts';
import { ThemeControl } from '#web/shell/theme-menu.tsx';

const others = navEntries.filter((entry) => !entry.bar);

/** On a phone: the pages that have no place in the bar, and the theme. */
export function MoreMenu({ className, children }: { className: string; children: ReactNode }) {
  const inside = useLocation({ select: ({ pathname }) => others.some(({ to }) => pathname.startsWith(to)) });
  return (
    <Popover
      side="top"
      align="end"
      aria-label="More"
      className="w-72 p-1.5"
      renderTrigger={(props) => (
        <button type="button" {...props} aria-current={inside || undefined} className={className}>
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
