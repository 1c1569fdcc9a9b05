export interface TransferRate {
  addSample: (atMs: number, done: number) => void;
  read: () => number | null;
}

const WINDOW_MS = 8_000;
const MIN_SPAN_MS = 800;

export function createTransferRate(): TransferRate {
  let samples: { atMs: number; done: number }[] = [];
  return {
    addSample: (atMs, done) => {
      const last = samples.at(-1);
      // A lower offset means that a chunk is sent again.
      if (last && done < last.done) samples = [];
      samples = [...samples.filter((sample) => sample.atMs >= atMs - WINDOW_MS), { atMs, done }];
    },
    read: () => {
      const [first, last] = [samples[0], samples.at(-1)];
      if (!first || !last || last.atMs - first.atMs < MIN_SPAN_MS) return null;
      return ((last.done - first.done) * 1000) / (last.atMs - first.atMs);
    },
  };
}
