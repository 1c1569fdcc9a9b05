import type { CSSProperties } from 'react';

/** Reserves the space before the file is loaded, so that the page does not shift. @param maxHeight CSS length */
export function fittedStyle(
  { width, height }: { width: number | null; height: number | null },
  maxHeight: string,
): CSSProperties {
  if (!width || !height) return { maxHeight };
  return {
    width: `min(100%, ${width}px, calc(${maxHeight} * ${width / height}))`,
    aspectRatio: `${width} / ${height}`,
  };
}
