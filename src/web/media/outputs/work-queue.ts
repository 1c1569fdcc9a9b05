interface Job {
  start: () => void;
  signal: AbortSignal;
}

/** Runs the newest job first, because the media that became visible last matter most. */
export function createWorkQueue(concurrency: number) {
  const waiting: Job[] = [];
  let running = 0;

  const next = () => {
    while (running < concurrency) {
      const job = waiting.pop();
      if (!job) return;
      if (job.signal.aborted) continue;
      running += 1;
      job.start();
    }
  };

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
