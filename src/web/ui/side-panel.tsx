import { X } from 'lucide-react';
import { type ReactNode, useEffect, useRef } from 'react';
import { cx } from './cx.ts';
import { IconButton } from './controls/icon-button.tsx';

/** Covers the page between the bars of the shell where there is little room; otherwise it is beside the list. */
const panelClass = cx(
  'fixed inset-x-0 top-13 bottom-[calc(3.75rem+env(safe-area-inset-bottom))] z-15 flex flex-col overflow-y-auto overscroll-contain bg-canvas pb-(--dock)',
  'md:top-0 md:bottom-0 md:left-22 xl:left-58 lg:sticky lg:inset-auto lg:top-0 lg:h-[calc(100dvh-var(--banner-height,0px))] lg:border-l lg:border-line',
);

/** Shows the details of a list's open row. Give it a key, so that another row starts at its top. */
export function SidePanel({ label, children }: { label: string; children: ReactNode }) {
  const panel = useRef<HTMLElement>(null);
  useEffect(() => {
    // A panel over the list hides it, so the keyboard starts in the panel. Beside the list it stays there.
    if (panel.current && getComputedStyle(panel.current).position === 'fixed') panel.current.focus();
  }, []);
  return (
    <aside ref={panel} tabIndex={-1} aria-label={label} className={cx(panelClass, 'outline-none')}>
      {children}
    </aside>
  );
}

export interface SidePanelHeaderProps {
  title: string;
  badge?: ReactNode;
  actions?: ReactNode;
  onClose: () => void;
}

export function SidePanelHeader({ title, badge, actions, onClose }: SidePanelHeaderProps) {
  return (
    <header className="sticky top-0 z-1 flex h-14 flex-none items-center gap-3 border-b border-line bg-canvas px-4 md:px-6">
      <h2 tabIndex={-1} className="min-w-0 truncate text-base font-semibold outline-none">
        {title}
      </h2>
      {badge}
      <span className="-mr-2 ml-auto flex flex-none items-center gap-0.5">
        {actions}
        <IconButton label="Close" icon={<X aria-hidden="true" className="size-4.5" />} onClick={onClose} />
      </span>
    </header>
  );
}
