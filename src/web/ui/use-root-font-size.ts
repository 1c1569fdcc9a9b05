import { useSyncExternalStore } from 'react';

const read_px = () => Number.parseFloat(getComputedStyle(document.documentElement).fontSize) || 16;
// Kept: to ask the page on every render would make it judge its styles each time.
let cached_px: number | undefined;

function subscribe(listener: () => void) {
  const onResize = () => {
    cached_px = read_px();
    listener();
  };
  window.addEventListener('resize', onResize);
  return () => window.removeEventListener('resize', onResize);
}

/** CSS pixels of 1 rem, which grows on very large screens and with the person's own setting. */
export const useRootFontSize = (): number => useSyncExternalStore(subscribe, () => (cached_px ??= read_px()));
