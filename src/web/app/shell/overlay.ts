import { createAtom, useSelector } from '@tanstack/react-store';

export type Overlay = 'palette' | 'keys';

const openOverlay = createAtom<Overlay | null>(null);

/** Opens a dialog over every page, or closes it with null. */
export function showOverlay(next: Overlay | null): void {
  openOverlay.set(next);
}

export function useOverlay(): Overlay | null {
  return useSelector(openOverlay);
}
