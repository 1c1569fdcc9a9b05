import { Worker } from 'node:worker_threads';
import type { Pixels, StillRequest } from './protocol.ts';
import { createSlots } from './slots.ts';

/** Paints in threads of its own, so that the service stays responsive; a thread ends with its job. */
export interface Painters {
  /** @throws the signal's reason when aborted, within milliseconds */
  still(request: StillRequest, signal: AbortSignal): Promise<Pixels>;
}

/** Two at once: each may hold half a gigabyte of canvases. */
const AT_ONCE = 2;

export function createPainters(at_once = AT_ONCE): Painters {
  const slots = createSlots(at_once);
  return {
    async still(request, signal) {
      const release = await slots.take(signal);
      const worker = startWorker(request);
      try {
        const rgba = await firstMessage(worker, signal);
        return { width_px: request.width_px, height_px: request.height_px, rgba };
      } finally {
        void worker.terminate().finally(release);
      }
    },
  };
}

const startWorker = (request: StillRequest): Worker =>
  new Worker(new URL('./painter.ts', import.meta.url), { workerData: request });

function firstMessage(worker: Worker, signal: AbortSignal): Promise<Uint8Array<ArrayBuffer>> {
  const { promise, resolve, reject } = Promise.withResolvers<Uint8Array<ArrayBuffer>>();
  const abort = (): void => reject(signal.reason as Error);
  signal.addEventListener('abort', abort, { once: true });
  worker.once('message', resolve);
  worker.once('error', reject);
  worker.once('exit', (code) => reject(new Error(`The painting thread ended early with ${code}.`)));
  return promise.finally(() => signal.removeEventListener('abort', abort));
}
