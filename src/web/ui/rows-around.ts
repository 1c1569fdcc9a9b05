const OVERSCAN_ROWS = 6;
/** Rows come and go so many at once: what a change costs apart from its rows is then paid in few frames of a scroll. */
const ROWS_AT_ONCE = 4;

export interface RowsInSight {
  /** The first row in sight, counted from 0. */
  startIndex: number;
  /** Rows in the list. */
  count: number;
}

/**
 * The rows to render, in order: those in sight and some above and below.
 * @param mostInSight how many fit in the window at most; as many are rendered wherever the list is scrolled to, so that
 *   rows come below when others go above
 */
export function rowsAround({ startIndex, count }: RowsInSight, mostInSight: number): number[] {
  const first = startIndex - (startIndex % ROWS_AT_ONCE);
  const from = Math.max(0, first - OVERSCAN_ROWS);
  const end = Math.min(count, first + mostInSight + ROWS_AT_ONCE - 1 + OVERSCAN_ROWS);
  return Array.from({ length: end - from }, (_, row) => from + row);
}
