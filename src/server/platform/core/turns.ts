import { ApiError } from '#server/platform/core/api-error.ts';

export interface Turns {
  /**
   * Waits until the key, and the process, has a turn.
   * @returns a function that ends the turn; calling it again does nothing
   * @param disconnected aborted when the client leaves, or can wait no longer
   * @throws {ApiError} 400 if it is aborted before
   */
  take(keyId: string, disconnected: AbortSignal): Promise<() => void>;
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

  function begin(keyId: string): () => void {
    running.set(keyId, (running.get(keyId) ?? 0) + 1);
    count += 1;
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      const left = (running.get(keyId) ?? 1) - 1;
      if (left > 0) running.set(keyId, left);
      else running.delete(keyId);
      count -= 1;
      startNext();
    };
  }
  const hasRoom = (keyId: string): boolean => count < total && (running.get(keyId) ?? 0) < perKey;
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
