/** Speed of a transfer over its last seconds. */
export interface TransferRate {
  addSample: (at_ms: number, done: number) => void;
  read: () => number | null;
}

const WINDOW_MS = 8_000;
const MIN_SPAN_MS = 800;

export function createTransferRate(): TransferRate {
  let points: { at_ms: number; done: number }[] = [];
  return {
    addSample: (at_ms, done) => {
      const last = points.at(-1);
      // The offset went back: a chunk is sent again.
      if (last && done < last.done) points = [];
      points = [...points.filter((point) => point.at_ms >= at_ms - WINDOW_MS), { at_ms, done }];
    },
    read: () => {
      const [first, last] = [points[0], points.at(-1)];
      if (!first || !last || last.at_ms - first.at_ms < MIN_SPAN_MS) return null;
      return ((last.done - first.done) * 1000) / (last.at_ms - first.at_ms);
    },
  };
}
