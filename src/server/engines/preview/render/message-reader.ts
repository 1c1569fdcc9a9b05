import type { Worker } from 'node:worker_threads';

/** Reads messages of a thread one at a time. Waiting rejects when the thread fails or exits, or the signal aborts. */
export interface MessageReader<Piece> {
  next(): Promise<Piece>;
  close(): void;
}

export function createMessageReader<Piece>(worker: Worker, signal: AbortSignal): MessageReader<Piece> {
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
