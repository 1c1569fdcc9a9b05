import { ContextMenu as Base } from '@base-ui/react/context-menu';
import type { ReactElement, ReactNode } from 'react';

interface ContextMenuProps {
  label: string;
  /** The element whose right click or long press opens the menu. */
  area: ReactElement;
  /** Items of `menu.tsx`. */
  items: ReactNode;
  children: ReactNode;
}

/** Opens the actions of an element at the pointer. The same actions need a button for the keyboard. */
export function ContextMenu({ label, area, items, children }: ContextMenuProps) {
  return (
    <Base.Root>
      <Base.Trigger render={area}>{children}</Base.Trigger>
      <Base.Portal>
        <Base.Positioner className="z-70" collisionPadding={8}>
          <Base.Popup
            aria-label={label}
            className="floating max-h-[min(80dvh,var(--available-height))] min-w-48 overflow-y-auto p-1 outline-none"
          >
            {items}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}
