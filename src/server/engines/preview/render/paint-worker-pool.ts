import { Worker } from 'node:worker_threads';
import { createSemaphore } from './semaphore.ts';

/** A painting thread that is busy with one job. */
interface PaintWorker {
  worker: Worker;
  /** Gives its place back; the thread stays for the next job if it may, else it ends. */
  release(stays: boolean): void;
}

/** The threads that paint: so many at once, and for a while after a job one that is ready for the next. */
export interface PaintWorkerPool {
  /** @throws the signal's reason when aborted while waiting for a place */
  acquire(signal: AbortSignal): Promise<PaintWorker>;
}

/** Long enough for somebody who tries several prompts, short enough to give the memory back. */
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
    // Whoever waits for it hears of it as well; an idle thread that breaks is simply gone.
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
        release(stays) {
          if (stays && !ready) {
            wait(worker);
            release();
          } else void dismiss(worker).finally(release);
        },
      };
    },
  };
}
