import { ApiError } from '#server/platform/core/api-error.ts';

export interface Turns {
  /**
   * Waits until the key, and the process, has a turn.
   * @returns a function that ends the turn; calling it again does nothing
   * @param disconnected aborted when the client leaves, or can wait no longer
   * @throws {ApiError} 400 if it is aborted before
   */
  take(key_id: string, disconnected: AbortSignal): Promise<() => void>;
}

const clientGoneError = () => new ApiError('invalid_request', 'The client left before its turn.');

interface Waiting {
  key_id: string;
  start: () => void;
}

/** Bounds what runs at once for a key and in all. Whoever waits longest is next, unless its key has its share. */
export function createTurns({ perKey, total }: { perKey: number; total: number }): Turns {
  const running = new Map<string, number>();
  const waiting = new Set<Waiting>();
  let count = 0;

  function begin(key_id: string): () => void {
    running.set(key_id, (running.get(key_id) ?? 0) + 1);
    count += 1;
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      const left = (running.get(key_id) ?? 1) - 1;
      if (left > 0) running.set(key_id, left);
      else running.delete(key_id);
      count -= 1;
      startNext();
    };
  }
  const hasRoom = (key_id: string): boolean => count < total && (running.get(key_id) ?? 0) < perKey;
  function startNext(): void {
    for (const next of waiting) {
      if (!hasRoom(next.key_id)) continue;
      waiting.delete(next);
      return next.start();
    }
  }

  return {
    async take(key_id, disconnected) {
      if (disconnected.aborted) throw clientGoneError();
      if (hasRoom(key_id)) return begin(key_id);
      return new Promise((resolve, reject) => {
        const next: Waiting = {
          key_id,
          start() {
            disconnected.removeEventListener('abort', leave);
            resolve(begin(key_id));
          },
        };
        const leave = () => {
          waiting.delete(next);
          reject(clientGoneError());
        };
        waiting.add(next);
        disconnected.addEventListener('abort', leave, { once: true });
      });
    },
  };
}
