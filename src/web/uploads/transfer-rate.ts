export interface TransferRate {
  addSample: (at_ms: number, done: number) => void;
  read: () => number | null;
}

const WINDOW_MS = 8_000;
const MIN_SPAN_MS = 800;

export function createTransferRate(): TransferRate {
  let samples: { at_ms: number; done: number }[] = [];
  return {
    addSample: (at_ms, done) => {
      const last = samples.at(-1);
      // A lower offset means that a chunk is sent again.
      if (last && done < last.done) samples = [];
      samples = [...samples.filter((sample) => sample.at_ms >= at_ms - WINDOW_MS), { at_ms, done }];
    },
    read: () => {
      const [first, last] = [samples[0], samples.at(-1)];
      if (!first || !last || last.at_ms - first.at_ms < MIN_SPAN_MS) return null;
      return ((last.done - first.done) * 1000) / (last.at_ms - first.at_ms);
    },
  };
}
