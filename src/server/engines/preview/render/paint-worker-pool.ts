import { Worker } from 'node:worker_threads';

interface PaintWorker {
  worker: Worker;
  /** Releases the slot; a reusable thread stays for the next job. */
  release(is_reusable: boolean): void;
}

/** Limits concurrent paint threads and keeps an idle one ready for a while. */
export interface PaintWorkerPool {
  /** @throws the signal's reason when aborted while waiting */
  acquire(signal: AbortSignal): Promise<PaintWorker>;
}

/** Long enough for a user who tries several prompts, short enough to free the memory. */
const IDLE_MS = 30_000;

export function createPaintWorkerPool(at_once: number): PaintWorkerPool {
  const slots = createSemaphore(at_once);
  let ready: { worker: Worker; timer: NodeJS.Timeout } | undefined;

  const dismiss = (worker: Worker): Promise<number> => {
    if (ready?.worker === worker) {
      clearTimeout(ready.timer);
      ready = undefined;
    }
    return worker.terminate();
  };
  const hire = (): Worker => {
    const worker = new Worker(new URL('./painter.ts', import.meta.url));
    // A waiting reader gets the error too; an idle thread that fails is just removed.
    worker.on('error', () => void dismiss(worker));
    return worker;
  };
  const wait = (worker: Worker): void => {
    worker.unref();
    ready = { worker, timer: setTimeout(() => void dismiss(worker), IDLE_MS).unref() };
  };

  return {
    async acquire(signal) {
      const release = await slots.acquire(signal);
      const worker = ready?.worker ?? hire();
      if (ready) clearTimeout(ready.timer);
      ready = undefined;
      worker.ref();
      return {
        worker,
        release(is_reusable) {
          if (is_reusable && !ready) {
            wait(worker);
            release();
          } else void dismiss(worker).finally(release);
        },
      };
    },
  };
}

interface Semaphore {
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
