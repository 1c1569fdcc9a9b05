import type { Worker } from 'node:worker_threads';
import type { BackgroundRemoval } from '../edit/remove-background.ts';
import { createPaintWorkerPool } from './paint-worker-pool.ts';
import type {
  ByteArray,
  ClipRequest,
  EditRequest,
  EditResult,
  PaintRequest,
  Pixels,
  SoundRequest,
  StillRequest,
} from './protocol.ts';

/** Paints in worker threads. All methods reject with the signal's reason within milliseconds of an abort. */
export interface Renderer {
  still(request: StillRequest, signal: AbortSignal): Promise<Pixels>;
  edit(request: EditRequest, signal: AbortSignal): Promise<{ picture: Pixels; cut: BackgroundRemoval | null }>;
  sound(request: SoundRequest, signal: AbortSignal): Promise<ByteArray>;
  /** Raw RGBA frames in order, painted slightly ahead of the reader. */
  clip(request: ClipRequest, signal: AbortSignal): AsyncGenerator<ByteArray, void>;
}

/** Each job may use half a gigabyte of canvases. */
const MAX_CONCURRENT = 2;
const FRAMES_AHEAD = 3;
/** After larger images and clips a thread exits, which frees its memory immediately. */
const SMALL_PX = 2_600_000;

export function createRenderer(at_once = MAX_CONCURRENT): Renderer {
  const crew = createPaintWorkerPool(at_once);

  async function* paint<Piece>(
    request: PaintRequest,
    pieces: number,
    signal: AbortSignal,
  ): AsyncGenerator<Piece, void> {
    const { worker, release } = await crew.acquire(signal);
    const inbox = createMessageReader<Piece>(worker, signal);
    let finished = false;
    try {
      worker.postMessage(request, []);
      for (let ahead = 1; ahead < FRAMES_AHEAD; ahead++) worker.postMessage('next', []);
      for (let done = 0; done < pieces; done++) {
        const piece = await inbox.next();
        worker.postMessage('next', []);
        finished = done === pieces - 1;
        yield piece;
      }
    } finally {
      inbox.close();
      release(finished && isSmall(request));
    }
  }

  async function paintOne<Piece>(request: PaintRequest, signal: AbortSignal): Promise<Piece> {
    for await (const piece of paint<Piece>(request, 1, signal)) return piece;
    throw new Error('The painting thread gave nothing.');
  }

  return {
    async still(request, signal) {
      const rgba = await paintOne<ByteArray>(request, signal);
      return { width_px: request.width_px, height_px: request.height_px, rgba };
    },
    async edit(request, signal) {
      const { rgba, cut } = await paintOne<EditResult>(request, signal);
      return { picture: { width_px: request.width_px, height_px: request.height_px, rgba }, cut };
    },
    sound: (request, signal) => paintOne<ByteArray>(request, signal),
    clip: (request, signal) => paint<ByteArray>(request, request.frames, signal),
  };
}

const isSmall = (request: PaintRequest): boolean =>
  (request.kind === 'still' || request.kind === 'edit') && request.width_px * request.height_px <= SMALL_PX;

/** Reads messages of a thread one at a time. Waiting rejects when the thread fails or exits, or the signal aborts. */
interface MessageReader<Piece> {
  next(): Promise<Piece>;
  close(): void;
}

function createMessageReader<Piece>(worker: Worker, signal: AbortSignal): MessageReader<Piece> {
  const arrived: Piece[] = [];
  let waiting: PromiseWithResolvers<Piece> | undefined;
  let failure: Error | undefined;
  const fail = (error: Error): void => {
    failure ??= error;
    waiting?.reject(failure);
  };
  const abort = (): void => fail(signal.reason as Error);
  signal.addEventListener('abort', abort, { once: true });
  const receive = (piece: Piece): void => {
    if (waiting) waiting.resolve(piece);
    else arrived.push(piece);
    waiting = undefined;
  };
  const end = (code: number): void => fail(new Error(`The painting thread ended early with ${code}.`));
  worker.on('message', receive).on('error', fail).on('exit', end);
  return {
    next() {
      if (signal.aborted) return Promise.reject(signal.reason as Error);
      const piece = arrived.shift();
      if (piece !== undefined) return Promise.resolve(piece);
      if (failure) return Promise.reject(failure);
      waiting = Promise.withResolvers<Piece>();
      return waiting.promise;
    },
    close() {
      signal.removeEventListener('abort', abort);
      worker.off('message', receive).off('error', fail).off('exit', end);
    },
  };
}
