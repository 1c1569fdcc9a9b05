interface Job {
  start: () => void;
  signal: AbortSignal;
}

/** Runs at most `width` jobs at once, the newest first, because the media that became visible last are wanted most. */
export function createWorkQueue(width: number) {
  const waiting: Job[] = [];
  let running = 0;

  const next = () => {
    while (running < width) {
      const job = waiting.pop();
      if (!job) return;
      if (job.signal.aborted) continue;
      running += 1;
      job.start();
    }
  };

  /** Resolves to the result of the job; rejects with the reason of the signal if it is aborted. */
  return <T>(work: (signal: AbortSignal) => Promise<T>, signal: AbortSignal): Promise<T> =>
    new Promise((resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason), { once: true });
      const start = () =>
        void work(signal)
          .then(resolve, reject)
          .finally(() => {
            running -= 1;
            next();
          });
      waiting.push({ start, signal });
      next();
    });
}
