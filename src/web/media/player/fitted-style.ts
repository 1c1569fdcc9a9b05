import type { CSSProperties } from 'react';

/** Reserves the space before the file is loaded, so that the page does not shift. @param max_height CSS length */
export function fittedStyle(
  { width, height }: { width: number | null; height: number | null },
  max_height: string,
): CSSProperties {
  if (!width || !height) return { maxHeight: max_height };
  return {
    width: `min(100%, ${width}px, calc(${max_height} * ${width / height}))`,
    aspectRatio: `${width} / ${height}`,
  };
}
