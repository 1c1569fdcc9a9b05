import type { CSSProperties } from 'react';

/**
 * The size of a picture or clip on a page: its own, or the largest that fits. Known before it is loaded, so that nothing
 * below it moves.
 * @param max_height CSS length
 */
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
