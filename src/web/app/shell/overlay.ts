import { createAtom, useSelector } from '@tanstack/react-store';

export type Overlay = 'palette' | 'help';

const openOverlay = createAtom<Overlay | null>(null);

let typed = '';

/** Keeps what is typed until the palette is there. */
function onKeyDown(event: KeyboardEvent): void {
  const { key } = event;
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
  if (key.length === 1) typed += key;
  else if (key === 'Backspace') typed = typed.slice(0, -1);
  else if (key === 'Escape') showOverlay(null);
  else return;
  event.preventDefault();
  event.stopImmediatePropagation();
}

/** Stops keeping what is typed, and passes it on. */
export function releaseTyped(onTyped: (text: string) => void = () => undefined): void {
  removeEventListener('keydown', onKeyDown, true);
  if (typed !== '') onTyped(typed);
  typed = '';
}

export function showOverlay(next: Overlay | null): void {
  const isOpen = openOverlay.get() === next;
  releaseTyped();
  if (next === 'palette' && !isOpen) addEventListener('keydown', onKeyDown, true);
  openOverlay.set(next);
}

export function useOverlay(): Overlay | null {
  return useSelector(openOverlay);
}
