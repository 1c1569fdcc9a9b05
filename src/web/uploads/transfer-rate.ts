/** How fast something goes, over its last seconds. */
export interface TransferRate {
  /** @param done how much there is of it by now */
  addSample: (at_ms: number, done: number) => void;
  /** Per second; null while that is not known. */
  read: () => number | null;
}

const WINDOW_MS = 8_000;
const MIN_SPAN_MS = 800;

export function createTransferRate(): TransferRate {
  let points: { at_ms: number; done: number }[] = [];
  return {
    addSample: (at_ms, done) => {
      const last = points.at(-1);
      // It went back: a part is sent again.
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
