import { MediaError } from './media-error.ts';

const MIB = 1024 ** 2;

export interface QueueLimits {
  slots: number;
  bytes: number;
  /** Waiting requests per owner and in total; further ones are rejected. */
  waitingPerOwner: number;
  waiting: number;
  waitMs: number;
}

const LIMITS: QueueLimits = {
  slots: 2,
  bytes: 256 * MIB,
  waitingPerOwner: 64,
  waiting: 256,
  waitMs: 120_000,
};

export interface DecodeOptions {
  /** The API key or part of the service; owners take turns. */
  owner?: string | undefined;
  /** A client waits for the result: the wait is bounded and rejected as `busy`. */
  isRequest?: boolean | undefined;
  signal?: AbortSignal | undefined;
}

export interface DecodeQueue {
  /**
   * @param bytes memory that the decoder is expected to use
   * @throws {MediaError} `busy`; the signal's reason when aborted while waiting; what `work` throws
   */
  run<T>(bytes: number, options: DecodeOptions, work: () => Promise<T>): Promise<T>;
}

interface Entry {
  owner: string;
  bytes: number;
  start: () => void;
}

/**
 * Limits all decoding of untrusted media. Owners take turns; no lighter job overtakes a heavy one, which would starve.
 */
export function createDecodeQueue(limits: QueueLimits = LIMITS): DecodeQueue {
  const waiting = new Map<string, Entry[]>();
  let waitingCount = 0;
  let running = 0;
  let runningBytes = 0;

  function advance(): void {
    for (;;) {
      const [next] = waiting.values();
      const entry = next?.[0];
      if (!entry || running >= limits.slots) return;
      if (running > 0 && runningBytes + entry.bytes > limits.bytes) return;
      remove(entry);
      const rest = waiting.get(entry.owner);
      if (rest && waiting.delete(entry.owner)) waiting.set(entry.owner, rest);
      running += 1;
      runningBytes += entry.bytes;
      entry.start();
    }
  }

  function remove(entry: Entry): void {
    const left = (waiting.get(entry.owner) ?? []).filter((each) => each !== entry);
    waitingCount -= 1;
    if (left.length > 0) waiting.set(entry.owner, left);
    else waiting.delete(entry.owner);
  }

  async function admit(bytes: number, { owner = '', isRequest, signal }: DecodeOptions): Promise<void> {
    signal?.throwIfAborted();
    const queued = waiting.get(owner) ?? [];
    if (isRequest && (queued.length >= limits.waitingPerOwner || waitingCount >= limits.waiting)) throw busyError();
    await new Promise<void>((resolve, reject) => {
      const leave = (error: unknown): void => {
        remove(entry);
        settle();
        reject(error);
        // A job behind a heavy one that was removed may fit now.
        advance();
      };
      const abort = (): void => leave(signal?.reason);
      const timer = isRequest ? setTimeout(() => leave(busyError()), limits.waitMs) : undefined;
      const settle = (): void => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', abort);
      };
      const entry: Entry = {
        owner,
        bytes,
        start() {
          settle();
          resolve();
        },
      };
      signal?.addEventListener('abort', abort, { once: true });
      waiting.set(owner, [...queued, entry]);
      waitingCount += 1;
      advance();
    });
  }

  return {
    async run(bytes, options, work) {
      await admit(bytes, options);
      try {
        return await work();
      } finally {
        running -= 1;
        runningBytes -= bytes;
        advance();
      }
    },
  };
}

const busyError = (): MediaError =>
  new MediaError('busy', 'The service is busy reading other files. Try again in a moment.');
