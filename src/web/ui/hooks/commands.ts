import { type ReactNode, useId, useLayoutEffect } from 'react';
import type { LucideIcon } from 'lucide-react';

/** An action that runs by its keys or from the palette (⌘K). The keyboard sheet (?) lists those with keys. */
export interface Command {
  label: string;
  group: string;
  run: () => void;
  /** "j", "mod+enter" (⌘ or Ctrl), "g c" (one after the other), "?", "escape". */
  keys?: string;
  icon?: LucideIcon;
  /** Further words that the palette finds it by. */
  words?: string;
  /** Distinguishes commands with the same label. */
  id?: string;
  /** In place of the icon. */
  thumbnail?: ReactNode;
  /** Hides the command in the palette, for steps through a list. */
  hiddenInPalette?: boolean;
  inDialog?: boolean;
}

/** Keys of a view that works in a dialog too: moving, zooming and playing need no entry in the palette. */
export const viewCommand =
  (group: string) =>
  (keys: string, label: string, run: () => void): Command => ({
    group,
    label,
    keys,
    run,
    inDialog: true,
    hiddenInPalette: true,
  });

const registered = new Map<string, readonly Command[]>();

/** The latest registered come first. */
export function readCommands(): Command[] {
  return [...registered.values()].toReversed().flat();
}

/** Registers commands while the component is mounted. The list may be a new one on every render. */
export function useCommands(commands: readonly Command[]): void {
  const id = useId();
  // Effects would run a moment after the page is visible; its keys have to work at once.
  useLayoutEffect(() => {
    registered.set(id, commands);
  }, [id, commands]);
  useLayoutEffect(() => () => void registered.delete(id), [id]);
}

const TYPING_TARGETS =
  'input:not([type=checkbox],[type=radio],[type=range],[type=button]), textarea, select, [contenteditable]';
/** In a text box these belong to the text. */
const TEXT_SHORTCUTS = /^mod\+[acvxyz]$/;
const OPEN_PANEL = '[data-open]:is([role=menu], [role=dialog].floating)';
const sequenceMs = 1_000;
const isApple = typeof navigator !== 'undefined' && /Mac|iPhone|iPad/.test(navigator.platform);

/** @returns a function that stops it */
export function startShortcuts(): () => void {
  let previous = '';
  let previousAtMs = 0;
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.defaultPrevented || event.isComposing || ['Control', 'Meta', 'Shift', 'Alt'].includes(event.key)) return;
    const target = event.target instanceof Element ? event.target : document.body;
    const pressed = keyNameOf(event);
    const isChord = pressed.startsWith('mod+');
    if (
      (!isChord || TEXT_SHORTCUTS.test(pressed)) &&
      (target.closest(TYPING_TARGETS) || target.closest('[role=menu], [role=listbox]'))
    )
      return;
    if ((pressed === 'enter' || pressed === ' ') && target.closest('a, button, summary, [role=button]')) return;
    // An open menu or popover handles its keys itself, Escape above all.
    if (!isChord && document.querySelector(OPEN_PANEL)) return;
    const inDialog = document.querySelector('.modal') !== null;
    const sequence = event.timeStamp - previousAtMs < sequenceMs ? `${previous} ${pressed}` : pressed;
    previous = pressed;
    previousAtMs = event.timeStamp;
    const available = readCommands().filter((command) => !inDialog || command.inDialog);
    const command = available.find(({ keys }) => keys === sequence) ?? available.find(({ keys }) => keys === pressed);
    if (!command) return;
    previousAtMs = 0;
    event.preventDefault();
    command.run();
  };
  document.addEventListener('keydown', onKeyDown);
  return () => document.removeEventListener('keydown', onKeyDown);
}

function keyNameOf(event: KeyboardEvent): string {
  const key = event.key.toLowerCase();
  const mod = isApple ? event.metaKey : event.ctrlKey;
  const shift = event.shiftKey && (key.length > 1 || /[a-z]/.test(key));
  return `${mod ? 'mod+' : ''}${event.altKey ? 'alt+' : ''}${shift ? 'shift+' : ''}${key}`;
}
