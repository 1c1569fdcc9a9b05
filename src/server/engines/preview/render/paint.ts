import { Worker } from 'node:worker_threads';
import type { ClipRequest, Painted, PaintRequest, Pixels, SoundRequest, StillRequest } from './protocol.ts';
import { createSlots } from './slots.ts';

/**
 * Paints in threads of its own, so that the service stays responsive; a thread ends with its job.
 * All reject with the signal's reason within milliseconds of an abort.
 */
export interface Painters {
  still(request: StillRequest, signal: AbortSignal): Promise<Pixels>;
  /** A sound bed as a WAV file. */
  sound(request: SoundRequest, signal: AbortSignal): Promise<Painted>;
  /** Every frame in order as raw RGBA, painted a little ahead of its reader. */
  clip(request: ClipRequest, signal: AbortSignal): AsyncGenerator<Painted, void>;
}

/** Two at once: each may hold half a gigabyte of canvases. */
const AT_ONCE = 2;
const FRAMES_AHEAD = 3;

export function createPainters(at_once = AT_ONCE): Painters {
  const slots = createSlots(at_once);

  async function* paint(request: PaintRequest, pieces: number, signal: AbortSignal): AsyncGenerator<Painted, void> {
    const release = await slots.take(signal);
    const worker = new Worker(new URL('./painter.ts', import.meta.url), { workerData: request });
    const inbox = createInbox(worker, signal);
    try {
      for (let ahead = 0; ahead < FRAMES_AHEAD; ahead++) worker.postMessage('next', []);
      for (let piece = 0; piece < pieces; piece++) {
        const painted = await inbox.next();
        worker.postMessage('next', []);
        yield painted;
      }
    } finally {
      inbox.close();
      void worker.terminate().finally(release);
    }
  }

  const paintOne = async (request: PaintRequest, signal: AbortSignal): Promise<Painted> => {
    for await (const painted of paint(request, 1, signal)) return painted;
    throw new Error('The painting thread gave nothing.');
  };

  return {
    async still(request, signal) {
      return { width_px: request.width_px, height_px: request.height_px, rgba: await paintOne(request, signal) };
    },
    sound: paintOne,
    clip: (request, signal) => paint(request, request.frames, signal),
  };
}

/** The messages of a thread, one at a time; its failure, its end and the signal's abort reject the wait. */
function createInbox(worker: Worker, signal: AbortSignal): { next(): Promise<Painted>; close(): void } {
  const arrived: Painted[] = [];
  let waiting: PromiseWithResolvers<Painted> | undefined;
  let failure: Error | undefined;
  const fail = (error: Error): void => {
    failure ??= error;
    waiting?.reject(failure);
  };
  const abort = (): void => fail(signal.reason as Error);
  signal.addEventListener('abort', abort, { once: true });
  worker.on('message', (painted: Painted) => {
    if (waiting) waiting.resolve(painted);
    else arrived.push(painted);
    waiting = undefined;
  });
  worker.on('error', fail);
  worker.on('exit', (code) => fail(new Error(`The painting thread ended early with ${code}.`)));
  return {
    next() {
      const painted = arrived.shift();
      if (painted) return Promise.resolve(painted);
      if (failure) return Promise.reject(failure);
      waiting = Promise.withResolvers<Painted>();
      return waiting.promise;
    },
    close: () => signal.removeEventListener('abort', abort),
  };
}
