import type { JustifiedRow } from './justified-rows.ts';

export type GridDirection =
  | 'left'
  | 'right'
  | 'up'
  | 'down'
  | 'page_up'
  | 'page_down'
  | 'row_start'
  | 'row_end'
  | 'start'
  | 'end';

export const GRID_KEYS: Readonly<Record<string, GridDirection>> = {
  ArrowLeft: 'left',
  ArrowRight: 'right',
  ArrowUp: 'up',
  ArrowDown: 'down',
  PageUp: 'page_up',
  PageDown: 'page_down',
  Home: 'row_start',
  End: 'row_end',
  'mod+Home': 'start',
  'mod+End': 'end',
};

const PAGE_ROWS = 3;

export function findRowIndex(rows: readonly JustifiedRow[], index: number): number {
  let low = 0;
  let high = rows.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((rows[middle]?.first ?? 0) <= index) low = middle;
    else high = middle - 1;
  }
  const row = rows[low];
  return row && index >= row.first && index < row.first + row.count ? low : -1;
}

export function offsetInRowPx({ first, widthsPx }: JustifiedRow, index: number, gapPx: number): number {
  return widthsPx.slice(0, index - first).reduce((sum, widthPx) => sum + widthPx + gapPx, 0);
}

/** Up and down lead to the medium that is nearest to the center of this one. */
export function nextGridIndex(
  rows: readonly JustifiedRow[],
  index: number,
  direction: GridDirection,
  gapPx: number,
): number {
  const rowIndex = findRowIndex(rows, index);
  const row = rows[rowIndex];
  const last = rows.at(-1);
  if (!row || !last) return rows[0]?.first ?? -1;
  const end = last.first + last.count - 1;
  const byRows = (by: number) => {
    const to = rows[Math.min(rows.length - 1, Math.max(0, rowIndex + by))];
    return to && to !== row ? nearestInRow(to, centerInRowPx(row, index, gapPx), gapPx) : index;
  };
  const targets = {
    left: () => Math.max(0, index - 1),
    right: () => Math.min(end, index + 1),
    up: () => byRows(-1),
    down: () => byRows(1),
    page_up: () => byRows(-PAGE_ROWS),
    page_down: () => byRows(PAGE_ROWS),
    row_start: () => row.first,
    row_end: () => row.first + row.count - 1,
    start: () => 0,
    end: () => end,
  } satisfies Record<GridDirection, () => number>;
  return targets[direction]();
}

const centerInRowPx = (row: JustifiedRow, index: number, gapPx: number) =>
  offsetInRowPx(row, index, gapPx) + (row.widthsPx[index - row.first] ?? 0) / 2;

function nearestInRow(row: JustifiedRow, xPx: number, gapPx: number): number {
  const indexes = row.widthsPx.map((_, at) => row.first + at);
  const distancePx = (index: number) => Math.abs(centerInRowPx(row, index, gapPx) - xPx);
  return indexes.reduce((best, index) => (distancePx(index) < distancePx(best) ? index : best), row.first);
}

/** The visible rows, and the one with the cursor wherever it is, so that it keeps the focus. */
export function renderedRows(count: number, first: number, last: number, cursorRow: number): number[] {
  const visible = Array.from({ length: Math.max(0, Math.min(count - 1, last) - first + 1) }, (_, at) => first + at);
  if (cursorRow === -1 || (cursorRow >= first && cursorRow <= last)) return visible;
  return cursorRow < first ? [cursorRow, ...visible] : [...visible, cursorRow];
}
