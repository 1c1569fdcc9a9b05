import { useSyncExternalStore } from 'react';

const read_px = () => Number.parseFloat(getComputedStyle(document.documentElement).fontSize) || 16;
// Cached, because reading it on every render would recompute styles each time.
let cached_px: number | undefined;

function subscribe(listener: () => void) {
  const onResize = () => {
    cached_px = read_px();
    listener();
  };
  window.addEventListener('resize', onResize);
  return () => window.removeEventListener('resize', onResize);
}

/** Returns the CSS pixels of 1 rem, which grows on very large screens and with the person's settings. */
export const useRootFontSize = (): number => useSyncExternalStore(subscribe, () => (cached_px ??= read_px()));
