import { useSyncExternalStore } from 'react';

const subscribe = (listener: () => void) => {
  window.addEventListener('resize', listener);
  return () => window.removeEventListener('resize', listener);
};
const read_px = () => Number.parseFloat(getComputedStyle(document.documentElement).fontSize) || 16;

/** CSS pixels of 1 rem, which grows on very large screens and with the person's own setting. */
export const useRootFontSize = (): number => useSyncExternalStore(subscribe, read_px);
