import type { ReactNode } from 'react';
import { useLocation } from '@tanstack/react-router';
import { lazyComponent } from '#web/ui/lazy-component.tsx';
import { Popover } from '#web/ui/popover.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import type { NavEntry } from './nav.ts';

const MoreMenuContent = lazyComponent(async () => (await import('./more-menu-content.tsx')).MoreMenuContent);

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
        <button
          type="button"
          {...props}
          aria-current={isActive || undefined}
          onPointerEnter={MoreMenuContent.preload}
          onFocus={MoreMenuContent.preload}
          className={className}
        >
          {children}
        </button>
      )}
    >
      {(close) => (
        <MoreMenuContent
          entries={others}
          pendingReviews={pendingReviews}
          close={close}
          fallback={<Skeleton className="h-72 w-full rounded-sm" />}
        />
      )}
    </Popover>
  );
}
