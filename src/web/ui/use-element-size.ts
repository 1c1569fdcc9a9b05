import { type RefCallback, useCallback, useState } from 'react';

/** Observes the size of an element in CSS pixels; 0 before it is mounted. */
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
