import { useEffect, useRef, type KeyboardEvent, type MouseEvent, type ReactNode } from 'react';
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

/** Renders a list of actions at a button. Arrows open it; arrows, Home, End and letters move the focus; Escape closes it. */
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
  const typed = useRef({ text: '', at_ms: 0 });
  useEffect(() => {
    const all = menuItems(list.current);
    // ArrowUp opens a menu at its end.
    const opener = list.current?.closest<HTMLElement>('[popover]')?.dataset['openAt'];
    (opener === 'end' ? all.at(-1) : all[0])?.focus();
  }, []);
  const onKeyDown = (event: KeyboardEvent) => {
    const all = menuItems(list.current);
    const at = all.findIndex((item) => item === document.activeElement);
    const steps: Record<string, HTMLElement | undefined> = {
      ArrowDown: all[(at + 1) % all.length],
      ArrowUp: all[(at - 1 + all.length) % all.length],
      Home: all[0],
      End: all.at(-1),
    };
    const letter = event.key.length === 1 && !event.metaKey && !event.ctrlKey && !event.altKey ? event.key : null;
    const next = steps[event.key] ?? (letter === null ? undefined : findTyped(all, at, typed.current, letter));
    if (event.key === 'Tab') close();
    if (!next) return;
    event.preventDefault();
    next.focus();
  };
  return (
    <div
      ref={list}
      role="menu"
      tabIndex={-1}
      aria-label={label}
      onKeyDown={onKeyDown}
      onClick={(event) => {
        if (event.target instanceof Element && !event.target.closest('[aria-disabled=true]')) close();
      }}
    >
      {children}
    </div>
  );
}

function menuItems(list: HTMLElement | null): HTMLElement[] {
  return [...(list?.querySelectorAll<HTMLElement>('[role^="menuitem"]') ?? [])];
}

const TYPING_PAUSE_MS = 700;

/** Finds the item that starts with what was typed without a pause; the same letter again goes on to the next. */
function findTyped(
  all: readonly HTMLElement[],
  at: number,
  typed: { text: string; at_ms: number },
  key: string,
): HTMLElement | undefined {
  const now_ms = performance.now();
  const before = now_ms - typed.at_ms < TYPING_PAUSE_MS ? typed.text : '';
  // A space presses the item unless it continues a word.
  if (key === ' ' && before === '') return undefined;
  const text = before + key.toLowerCase();
  Object.assign(typed, { text, at_ms: now_ms });
  const is_repeated = [...text].every((letter) => letter === text[0]);
  const wanted = is_repeated ? text.charAt(0) : text;
  const first = is_repeated ? at + 1 : Math.max(0, at);
  return [...all.slice(first), ...all.slice(0, first)].find((item) =>
    item.textContent.trim().toLowerCase().startsWith(wanted),
  );
}

/** A disabled item can have the focus, so that it is found and its name heard, but not be pressed. */
function pressUnlessDisabled(disabled: boolean | undefined, onSelect: () => void) {
  return (event: MouseEvent) => (disabled ? event.preventDefault() : onSelect());
}

/** Classes of an item, for a router link inside a menu (`role="menuitem"`). */
export const menuItemClass =
  'flex h-8 w-full items-center gap-2.5 rounded-sm px-2 text-left text-sm text-ink outline-none select-none focus:bg-hover hover:bg-hover disabled:opacity-45 aria-disabled:opacity-45 pointer-coarse:h-11 [&>svg]:size-4 [&>svg]:flex-none [&>svg]:text-ink-3 data-[tone=danger]:text-bad data-[tone=danger]:[&>svg]:text-bad';

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
      aria-disabled={disabled || undefined}
      onClick={pressUnlessDisabled(disabled, onSelect)}
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
