const OVERSCAN_ROWS = 6;
/** Rows come and go so many at once: what a change costs apart from its rows is then paid in few frames of a scroll. */
const BATCH_ROWS = 4;

/** The first of the rows that come and go together with `row`, both counted from 0. */
export const firstOfBatch = (row: number): number => Math.max(0, row - (row % BATCH_ROWS));

/**
 * The rows to render: those in sight and some above and below.
 * @param first the first row in sight, counted from 0; where the list has become too short for that, its last rows are
 * @param mostInSight how many fit in the window at most; as many are rendered wherever the list is scrolled to, so that
 *   rows come below when others go above
 * @param count rows in the list
 * @returns from which row on, and before which they end
 */
export function visibleRange(first: number, mostInSight: number, count: number): { from: number; end: number } {
  const start = firstOfBatch(Math.min(first, count - mostInSight));
  return {
    from: Math.max(0, start - OVERSCAN_ROWS),
    end: Math.min(count, start + mostInSight + BATCH_ROWS - 1 + OVERSCAN_ROWS),
  };
}
