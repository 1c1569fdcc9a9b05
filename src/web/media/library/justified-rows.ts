/** A line of media side by side. */
export interface JustifiedRow {
  /** Index of its first medium, and how many stand in it. */
  first: number;
  count: number;
  top_px: number;
  height_px: number;
  /** Whole pixels; with the gaps between they are as wide as the list, but in a last row that can't fill it. */
  widths_px: readonly number[];
}

export interface JustifiedRowsLayout {
  width_px: number;
  /** How high a row should be. */
  target_px: number;
  gap_px: number;
  /** More media follow: what can't fill a row yet is left out, so that no row ever changes when they come. */
  more: boolean;
}

/** A row is never higher than so many times what it should be. */
const MAX_HEIGHT_FACTOR = 1.4;
/** Narrower and wider media are laid out as if they were so; they are shown whole within. */
const RATIO_BOUNDS = { least: 0.45, most: 3.2 };

/** Width by height as it is laid out. */
export const clampRatio = (ratio: number): number =>
  Number.isFinite(ratio) && ratio > 0 ? Math.min(RATIO_BOUNDS.most, Math.max(RATIO_BOUNDS.least, ratio)) : 1;

/**
 * Lays media out in rows that fill the width, each medium in its ratio. Which media share a row depends on those before and
 * on one after it: so no row changes when more are loaded.
 * @param ratios width by height of each, as `clampRatio` gives it
 * @param base a medium that begins a row whatever stands above it: new ones at the top then change no row from there on
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

/** The row that begins with a medium; null where it can't be filled yet. */
function buildRow(
  ratios: readonly number[],
  first: number,
  shape: JustifiedRowsLayout,
): Omit<JustifiedRow, 'top_px'> | null {
  const { width_px, target_px, gap_px, more } = shape;
  const off = (height_px: number) => Math.abs(Math.log(height_px / target_px));
  let sum = 0;
  let best: { count: number; height_px: number } | null = null;
  for (let count = 1; first + count <= ratios.length; count += 1) {
    sum += ratios[first + count - 1] ?? 1;
    const height_px = (width_px - gap_px * (count - 1)) / sum;
    if (height_px > target_px * MAX_HEIGHT_FACTOR) continue;
    if (!best || off(height_px) < off(best.height_px)) best = { count, height_px };
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
  let taken_px = 0;
  for (const ratio of ratios.slice(first, first + count)) {
    right_px += ratio * height_px;
    const end_px = widths_px.length === count - 1 ? width_px - gap_px * (count - 1) : Math.round(right_px);
    widths_px.push(end_px - taken_px);
    taken_px = end_px;
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
