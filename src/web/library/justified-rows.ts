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

export interface RowShape {
  width_px: number;
  /** How high a row should be. */
  target_px: number;
  gap_px: number;
  /** More media follow: what can't fill a row yet is left out, so that no row ever changes when they come. */
  more: boolean;
}

/** A row is never higher than so many times what it should be. */
const TALLEST = 1.4;
/** Narrower and wider media are laid out as if they were so; they are shown whole within. */
const RATIOS = { least: 0.45, most: 3.2 };

/** Width by height as it is laid out. */
export const layoutRatio = (ratio: number): number =>
  Number.isFinite(ratio) && ratio > 0 ? Math.min(RATIOS.most, Math.max(RATIOS.least, ratio)) : 1;

/**
 * Lays media out in rows that fill the width, each medium in its ratio. Which media share a row depends on those before and
 * on one after it: so no row changes when more are loaded.
 * @param ratios width by height of each, as `layoutRatio` gives it
 * @param base a medium that begins a row whatever stands above it: new ones at the top then change no row from there on
 */
export function justifiedRows(ratios: readonly number[], shape: RowShape, base = 0): JustifiedRow[] {
  const rows: JustifiedRow[] = [];
  const above = { ratios: ratios.slice(0, base), shape: { ...shape, more: false } };
  let first = 0;
  let top_px = 0;
  while (first < ratios.length && shape.width_px > 0) {
    const row = first < base ? rowFrom(above.ratios, first, above.shape) : rowFrom(ratios, first, shape);
    if (!row) break;
    rows.push({ ...row, top_px });
    top_px += row.height_px + shape.gap_px;
    first += row.count;
  }
  return rows;
}

/** The row that begins with a medium; null where it can't be filled yet. */
function rowFrom(ratios: readonly number[], first: number, shape: RowShape): Omit<JustifiedRow, 'top_px'> | null {
  const { width_px, target_px, gap_px, more } = shape;
  const off = (height_px: number) => Math.abs(Math.log(height_px / target_px));
  let sum = 0;
  let best: { count: number; height_px: number } | null = null;
  for (let count = 1; first + count <= ratios.length; count += 1) {
    sum += ratios[first + count - 1] ?? 1;
    const height_px = (width_px - gap_px * (count - 1)) / sum;
    if (height_px > target_px * TALLEST) continue;
    if (!best || off(height_px) < off(best.height_px)) best = { count, height_px };
    if (height_px <= target_px) return filled(ratios, first, best, shape);
  }
  if (more) return null;
  return best ? filled(ratios, first, best, shape) : loose(ratios, first, target_px);
}

function filled(
  ratios: readonly number[],
  first: number,
  { count, height_px }: { count: number; height_px: number },
  { width_px, gap_px }: RowShape,
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

function loose(ratios: readonly number[], first: number, target_px: number): Omit<JustifiedRow, 'top_px'> {
  const rest = ratios.slice(first);
  return {
    first,
    count: rest.length,
    height_px: Math.round(target_px),
    widths_px: rest.map((ratio) => Math.round(ratio * target_px)),
  };
}
