export interface Semaphore {
  /** Resolves to a release function. @throws the signal's reason when aborted while waiting */
  acquire(signal: AbortSignal): Promise<() => void>;
}

export function createSemaphore(limit: number): Semaphore {
  let free = limit;
  const waiting: (() => void)[] = [];
  const release = (): void => {
    const next = waiting.shift();
    if (next) next();
    else free += 1;
  };
  const once = (): (() => void) => {
    let released = false;
    return () => {
      if (!released) release();
      released = true;
    };
  };
  return {
    async acquire(signal) {
      signal.throwIfAborted();
      if (free > 0) {
        free -= 1;
        return once();
      }
      await new Promise<void>((resolve, reject) => {
        const enter = (): void => {
          signal.removeEventListener('abort', leave);
          resolve();
        };
        const leave = (): void => {
          waiting.splice(waiting.indexOf(enter), 1);
          reject(signal.reason as Error);
        };
        waiting.push(enter);
        signal.addEventListener('abort', leave, { once: true });
      });
      return once();
    },
  };
}
