export interface JustifiedRow {
  first: number;
  count: number;
  topPx: number;
  heightPx: number;
  /** Whole pixels. With the gaps they add up to the width of the list, except in an unfilled last row. */
  widthsPx: readonly number[];
}

export interface JustifiedRowsLayout {
  widthPx: number;
  targetPx: number;
  gapPx: number;
  /** More media follow: an unfilled last row is left out, so that no row changes when they are loaded. */
  more: boolean;
}

const MAX_HEIGHT_FACTOR = 1.4;
/** Media beyond these ratios get a tile of the bound. */
const RATIO_BOUNDS = { least: 0.45, most: 3.2 };

export const clampRatio = (ratio: number): number =>
  Number.isFinite(ratio) && ratio > 0 ? Math.min(RATIO_BOUNDS.most, Math.max(RATIO_BOUNDS.least, ratio)) : 1;

/**
 * A row depends only on the media before it and on one after it, so no row changes when more are loaded.
 * @param base index of a medium that always starts a row, so that new media above it change no row below
 */
export function justifiedRows(ratios: readonly number[], shape: JustifiedRowsLayout, base = 0): JustifiedRow[] {
  const rows: JustifiedRow[] = [];
  const above = { ratios: ratios.slice(0, base), shape: { ...shape, more: false } };
  let first = 0;
  let topPx = 0;
  while (first < ratios.length && shape.widthPx > 0) {
    const row = first < base ? buildRow(above.ratios, first, above.shape) : buildRow(ratios, first, shape);
    if (!row) break;
    rows.push({ ...row, topPx });
    topPx += row.heightPx + shape.gapPx;
    first += row.count;
  }
  return rows;
}

function buildRow(
  ratios: readonly number[],
  first: number,
  shape: JustifiedRowsLayout,
): Omit<JustifiedRow, 'topPx'> | null {
  const { widthPx, targetPx, gapPx, more } = shape;
  const deviation = (heightPx: number) => Math.abs(Math.log(heightPx / targetPx));
  let sum = 0;
  let best: { count: number; heightPx: number } | null = null;
  for (let count = 1; first + count <= ratios.length; count += 1) {
    sum += ratios[first + count - 1] ?? 1;
    const heightPx = (widthPx - gapPx * (count - 1)) / sum;
    if (heightPx > targetPx * MAX_HEIGHT_FACTOR) continue;
    if (!best || deviation(heightPx) < deviation(best.heightPx)) best = { count, heightPx };
    if (heightPx <= targetPx) return fillRow(ratios, first, best, shape);
  }
  if (more) return null;
  return best ? fillRow(ratios, first, best, shape) : leftAlignedRow(ratios, first, targetPx);
}

function fillRow(
  ratios: readonly number[],
  first: number,
  { count, heightPx }: { count: number; heightPx: number },
  { widthPx, gapPx }: JustifiedRowsLayout,
): Omit<JustifiedRow, 'topPx'> {
  const widthsPx: number[] = [];
  let rightPx = 0;
  let usedPx = 0;
  for (const ratio of ratios.slice(first, first + count)) {
    rightPx += ratio * heightPx;
    const endPx = widthsPx.length === count - 1 ? widthPx - gapPx * (count - 1) : Math.round(rightPx);
    widthsPx.push(endPx - usedPx);
    usedPx = endPx;
  }
  return { first, count, heightPx: Math.round(heightPx), widthsPx };
}

function leftAlignedRow(ratios: readonly number[], first: number, targetPx: number): Omit<JustifiedRow, 'topPx'> {
  const rest = ratios.slice(first);
  return {
    first,
    count: rest.length,
    heightPx: Math.round(targetPx),
    widthsPx: rest.map((ratio) => Math.round(ratio * targetPx)),
  };
}
