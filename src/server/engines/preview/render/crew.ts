import { Worker } from 'node:worker_threads';
import { createSlots } from './slots.ts';

/** A painting thread that is busy with one job. */
export interface Painter {
  worker: Worker;
  /** Gives its place back; the thread stays for the next job if it may, else it ends. */
  leave(stays: boolean): void;
}

/** The threads that paint: so many at once, and for a while after a job one that is ready for the next. */
export interface Crew {
  /** @throws the signal's reason when aborted while waiting for a place */
  join(signal: AbortSignal): Promise<Painter>;
}

/** Long enough for somebody who tries several prompts, short enough to give the memory back. */
const IDLE_MS = 30_000;

export function createCrew(at_once: number): Crew {
  const slots = createSlots(at_once);
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
    async join(signal) {
      const release = await slots.take(signal);
      const worker = ready?.worker ?? hire();
      if (ready) clearTimeout(ready.timer);
      ready = undefined;
      worker.ref();
      return {
        worker,
        leave(stays) {
          if (stays && !ready) {
            wait(worker);
            release();
          } else void dismiss(worker).finally(release);
        },
      };
    },
  };
}
