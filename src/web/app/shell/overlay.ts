import { createAtom, useSelector } from '@tanstack/react-store';

export type Overlay = 'palette' | 'keys';

const openOverlay = createAtom<Overlay | null>(null);

/** Opens one of the windows that lie over every page, or closes it with null. */
export function showOverlay(next: Overlay | null): void {
  openOverlay.set(next);
}

/** Which window is open, for components. */
export function useOverlay(): Overlay | null {
  return useSelector(openOverlay);
}
