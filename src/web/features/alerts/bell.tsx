import { Bell as BellIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { IconButton } from '#web/ui/controls/icon-button.tsx';
import { Popover } from '#web/ui/overlays/popover.tsx';

interface BellProps {
  label: string;
  /** What the count is of: “open”, “new”. */
  state: string;
  /** “3”, “10+”; “0” shows none. */
  count: string;
  onOpenChange?: (open: boolean) => void;
  children: (close: () => void) => ReactNode;
}

/** A button with a count, and what it counts in a popover. */
export function Bell({ label, state, count, onOpenChange, children }: BellProps) {
  return (
    <Popover
      side="top"
      align="end"
      aria-label={label}
      className="w-84 p-0"
      {...(onOpenChange ? { onOpenChange } : {})}
      renderTrigger={(props) => (
        <span className="relative flex">
          <IconButton
            {...props}
            label={count === '0' ? label : `${label}: ${count} ${state}`}
            icon={<BellIcon aria-hidden="true" className="size-4" />}
          />
          {count === '0' ? null : (
            <span
              aria-hidden="true"
              className="pointer-events-none absolute top-0 right-0 flex h-4 min-w-4 items-center justify-center rounded-full bg-amber px-1 text-2xs font-semibold text-amber-ink tabular-nums"
            >
              {count}
            </span>
          )}
        </span>
      )}
    >
      {children}
    </Popover>
  );
}

export const bellItemClass = 'flex gap-2.5 rounded-sm px-2.5 py-2 text-sm hover:bg-hover';
