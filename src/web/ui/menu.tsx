import { useEffect, useRef, type KeyboardEvent, type ReactNode } from 'react';
import { Check } from 'lucide-react';
import { Popover, type TriggerProps } from './popover.tsx';
import type { Align, Side } from './position-floating.ts';

export interface MenuProps {
  label: string;
  /** Renders the button: `renderTrigger={(props) => <IconButton {...props} … />}`. */
  renderTrigger: (props: TriggerProps) => ReactNode;
  side?: Side;
  align?: Align;
  children: ReactNode;
  onOpenChange?: (open: boolean) => void;
}

/** Renders a list of actions at a button. Arrows, Home, End and first letters move the focus; Escape closes it. */
export function Menu({ label, renderTrigger, side, align = 'end', children, ...rest }: MenuProps) {
  return (
    <Popover {...rest} renderTrigger={renderTrigger} side={side} align={align} kind="menu" className="min-w-48 p-1">
      {(close) => (
        <MenuList label={label} close={close}>
          {children}
        </MenuList>
      )}
    </Popover>
  );
}

/** Renders the items of a menu inside a Popover and calls `close` when one is chosen. */
export function MenuList({ label, close, children }: { label: string; close: () => void; children: ReactNode }) {
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => menuItems(list.current)[0]?.focus(), []);
  const onKeyDown = (event: KeyboardEvent) => {
    const all = menuItems(list.current);
    const at = all.findIndex((item) => item === document.activeElement);
    const steps: Record<string, HTMLElement | undefined> = {
      ArrowDown: all[(at + 1) % all.length],
      ArrowUp: all[(at - 1 + all.length) % all.length],
      Home: all[0],
      End: all.at(-1),
    };
    const letter = event.key.length === 1 && !event.metaKey && !event.ctrlKey ? event.key.toLowerCase() : null;
    const after = [...all.slice(at + 1), ...all.slice(0, at + 1)];
    const next =
      steps[event.key] ??
      (letter && letter !== ' '
        ? after.find((item) => item.textContent.trim().toLowerCase().startsWith(letter))
        : undefined);
    if (event.key === 'Tab') close();
    if (!next) return;
    event.preventDefault();
    next.focus();
  };
  return (
    <div ref={list} role="menu" tabIndex={-1} aria-label={label} onKeyDown={onKeyDown} onClick={close}>
      {children}
    </div>
  );
}

function menuItems(list: HTMLElement | null): HTMLElement[] {
  return [...(list?.querySelectorAll<HTMLElement>('[role^="menuitem"]:not(:disabled)') ?? [])];
}

/** Classes of an item, for a router link inside a menu (`role="menuitem"`). */
export const menuItemClass =
  'flex h-8 w-full items-center gap-2.5 rounded-sm px-2 text-left text-sm text-ink outline-none select-none focus:bg-hover hover:bg-hover disabled:opacity-45 pointer-coarse:h-11 [&>svg]:size-4 [&>svg]:flex-none [&>svg]:text-ink-3 data-[tone=danger]:text-bad data-[tone=danger]:[&>svg]:text-bad';

export interface MenuItemProps {
  icon?: ReactNode;
  aside?: ReactNode;
  onSelect: () => void;
  disabled?: boolean;
  tone?: 'default' | 'danger';
  children: ReactNode;
}

export function MenuItem({ icon, aside, onSelect, disabled, tone = 'default', children }: MenuItemProps) {
  return (
    <button
      type="button"
      role="menuitem"
      tabIndex={-1}
      disabled={disabled}
      onClick={onSelect}
      onPointerEnter={(event) => event.currentTarget.focus()}
      data-tone={tone}
      className={menuItemClass}
    >
      {icon}
      <span className="min-w-0 flex-1 truncate">{children}</span>
      {aside}
    </button>
  );
}

export function MenuSeparator() {
  return <hr className="mx-1 my-1 h-px border-0 bg-line" />;
}

export function MenuRadioItem({
  chosen,
  icon,
  onSelect,
  children,
}: Pick<MenuItemProps, 'icon' | 'onSelect' | 'children'> & { chosen: boolean }) {
  return (
    <button
      type="button"
      role="menuitemradio"
      aria-checked={chosen}
      tabIndex={-1}
      onClick={onSelect}
      onPointerEnter={(event) => event.currentTarget.focus()}
      className={menuItemClass}
    >
      {icon}
      <span className="min-w-0 flex-1 truncate">{children}</span>
      {chosen ? <Check aria-hidden="true" /> : null}
    </button>
  );
}
