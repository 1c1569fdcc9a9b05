import { type RefCallback, useCallback, useState, useSyncExternalStore } from 'react';

/** In CSS pixels; 0 before it is mounted. */
export function useElementSize(): { ref: RefCallback<HTMLElement>; widthPx: number; heightPx: number } {
  const [size, setSize] = useState({ widthPx: 0, heightPx: 0 });
  const ref = useCallback((element: HTMLElement | null) => {
    if (!element) return;
    const observer = new ResizeObserver(() => {
      const { width, height } = element.getBoundingClientRect();
      setSize({ widthPx: Math.round(width), heightPx: Math.round(height) });
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return { ref, ...size };
}

const readPx = () => Number.parseFloat(getComputedStyle(document.documentElement).fontSize) || 16;
// Cached, because reading it on every render would recompute styles each time.
let cachedPx: number | undefined;

function subscribe(listener: () => void) {
  const onResize = () => {
    cachedPx = readPx();
    listener();
  };
  window.addEventListener('resize', onResize);
  return () => window.removeEventListener('resize', onResize);
}

/** Returns the CSS pixels of 1 rem, which grows on very large screens and with the person's settings. */
export const useRootFontSize = (): number => useSyncExternalStore(subscribe, () => (cachedPx ??= readPx()));
