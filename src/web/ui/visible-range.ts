const OVERSCAN_ROWS = 6;
/** Rows are mounted and unmounted in batches, so that few frames of a scroll pay the fixed cost of a change. */
const BATCH_ROWS = 4;

export const firstOfBatch = (row: number): number => Math.max(0, row - (row % BATCH_ROWS));

/**
 * Computes the rows to render: the visible ones and an overscan above and below.
 * @param first the first visible row, counted from 0; beyond the end of a list that has become shorter, its last rows
 *   count
 * @param mostInSight how many rows fit in the window at most. As many are rendered at every scroll position, so that
 *   the same number of rows is mounted and unmounted
 * @param count rows in the list
 * @returns the first row, and the row after the last
 */
export function visibleRange(first: number, mostInSight: number, count: number): { from: number; end: number } {
  const start = firstOfBatch(Math.min(first, count - mostInSight));
  return {
    from: Math.max(0, start - OVERSCAN_ROWS),
    end: Math.min(count, start + mostInSight + BATCH_ROWS - 1 + OVERSCAN_ROWS),
  };
}
