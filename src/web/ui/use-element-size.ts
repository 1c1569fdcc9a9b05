import { type RefCallback, useCallback, useState, useSyncExternalStore } from 'react';

/** In CSS pixels; 0 before it is mounted. */
export function useElementSize(): { ref: RefCallback<HTMLElement>; width_px: number; height_px: number } {
  const [size, setSize] = useState({ width_px: 0, height_px: 0 });
  const ref = useCallback((element: HTMLElement | null) => {
    if (!element) return;
    const observer = new ResizeObserver(() => {
      const { width, height } = element.getBoundingClientRect();
      setSize({ width_px: Math.round(width), height_px: Math.round(height) });
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return { ref, ...size };
}

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
