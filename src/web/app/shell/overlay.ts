import { createAtom, useSelector } from '@tanstack/react-store';

export type Overlay = 'palette' | 'keys';

const openOverlay = createAtom<Overlay | null>(null);

export function showOverlay(next: Overlay | null): void {
  openOverlay.set(next);
}

export function useOverlay(): Overlay | null {
  return useSelector(openOverlay);
}
