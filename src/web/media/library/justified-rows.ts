export interface JustifiedRow {
  first: number;
  count: number;
  top_px: number;
  height_px: number;
  /** Whole pixels. With the gaps they add up to the width of the list, except in an unfilled last row. */
  widths_px: readonly number[];
}

export interface JustifiedRowsLayout {
  width_px: number;
  target_px: number;
  gap_px: number;
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
  let top_px = 0;
  while (first < ratios.length && shape.width_px > 0) {
    const row = first < base ? buildRow(above.ratios, first, above.shape) : buildRow(ratios, first, shape);
    if (!row) break;
    rows.push({ ...row, top_px });
    top_px += row.height_px + shape.gap_px;
    first += row.count;
  }
  return rows;
}

function buildRow(
  ratios: readonly number[],
  first: number,
  shape: JustifiedRowsLayout,
): Omit<JustifiedRow, 'top_px'> | null {
  const { width_px, target_px, gap_px, more } = shape;
  const deviation = (height_px: number) => Math.abs(Math.log(height_px / target_px));
  let sum = 0;
  let best: { count: number; height_px: number } | null = null;
  for (let count = 1; first + count <= ratios.length; count += 1) {
    sum += ratios[first + count - 1] ?? 1;
    const height_px = (width_px - gap_px * (count - 1)) / sum;
    if (height_px > target_px * MAX_HEIGHT_FACTOR) continue;
    if (!best || deviation(height_px) < deviation(best.height_px)) best = { count, height_px };
    if (height_px <= target_px) return fillRow(ratios, first, best, shape);
  }
  if (more) return null;
  return best ? fillRow(ratios, first, best, shape) : leftAlignedRow(ratios, first, target_px);
}

function fillRow(
  ratios: readonly number[],
  first: number,
  { count, height_px }: { count: number; height_px: number },
  { width_px, gap_px }: JustifiedRowsLayout,
): Omit<JustifiedRow, 'top_px'> {
  const widths_px: number[] = [];
  let right_px = 0;
  let used_px = 0;
  for (const ratio of ratios.slice(first, first + count)) {
    right_px += ratio * height_px;
    const end_px = widths_px.length === count - 1 ? width_px - gap_px * (count - 1) : Math.round(right_px);
    widths_px.push(end_px - used_px);
    used_px = end_px;
  }
  return { first, count, height_px: Math.round(height_px), widths_px };
}

function leftAlignedRow(ratios: readonly number[], first: number, target_px: number): Omit<JustifiedRow, 'top_px'> {
  const rest = ratios.slice(first);
  return {
    first,
    count: rest.length,
    height_px: Math.round(target_px),
    widths_px: rest.map((ratio) => Math.round(ratio * target_px)),
  };
}
