import { useSyncExternalStore } from 'react';

export type Overlay = 'palette' | 'keys';

let openOverlay: Overlay | null = null;
const listeners = new Set<() => void>();

/** Opens one of the windows that lie over every page, or closes it with null. */
export function showOverlay(next: Overlay | null): void {
  openOverlay = next;
  for (const listener of listeners) listener();
}

/** Which window is open, for components. */
export function useOverlay(): Overlay | null {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => openOverlay,
  );
}
