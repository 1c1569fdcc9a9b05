import { MediaError } from './media-error.ts';

const MIB = 1024 ** 2;

export interface QueueLimits {
  /** Decoders that run at once. */
  slots: number;
  /** What they may hold together. A job that needs more runs alone. */
  bytes: number;
  /** Requests that wait, of one owner and in all; one more is refused. */
  waiting_per_owner: number;
  waiting: number;
  /** How long a request waits before it is refused. */
  wait_ms: number;
}

const LIMITS: QueueLimits = {
  slots: 2,
  bytes: 256 * MIB,
  waiting_per_owner: 64,
  waiting: 256,
  wait_ms: 120_000,
};

/** Who wants a file to be decoded. */
export interface DecodeOptions {
  /** The key or part of the service that the work is for; turns are taken between owners. */
  owner?: string | undefined;
  /** Somebody holds a connection open for it: the wait is bounded, and refused as `busy` beyond. */
  is_request?: boolean | undefined;
  signal?: AbortSignal | undefined;
}

export interface DecodeQueue {
  /**
   * Runs `work` when its turn has come.
   * @param bytes what the decoder is expected to hold
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
 * One queue for everything that decodes media of others, so that neither many files nor many keys exhaust memory or
 * processors. Owners take turns; nobody is overtaken by a lighter job, so that a heavy one is not postponed for ever.
 */
export function createDecodeQueue(limits: QueueLimits = LIMITS): DecodeQueue {
  /** In the order of their turns. */
  const waiting = new Map<string, Entry[]>();
  let waiting_count = 0;
  let running = 0;
  let running_bytes = 0;

  function advance(): void {
    for (;;) {
      const [next] = waiting.values();
      const entry = next?.[0];
      if (!entry || running >= limits.slots) return;
      if (running > 0 && running_bytes + entry.bytes > limits.bytes) return;
      remove(entry);
      const rest = waiting.get(entry.owner);
      if (rest && waiting.delete(entry.owner)) waiting.set(entry.owner, rest);
      running += 1;
      running_bytes += entry.bytes;
      entry.start();
    }
  }

  function remove(entry: Entry): void {
    const left = (waiting.get(entry.owner) ?? []).filter((each) => each !== entry);
    waiting_count -= 1;
    if (left.length > 0) waiting.set(entry.owner, left);
    else waiting.delete(entry.owner);
  }

  async function admit(bytes: number, { owner = '', is_request, signal }: DecodeOptions): Promise<void> {
    signal?.throwIfAborted();
    const queued = waiting.get(owner) ?? [];
    if (is_request && (queued.length >= limits.waiting_per_owner || waiting_count >= limits.waiting)) throw busyError();
    await new Promise<void>((resolve, reject) => {
      const leave = (error: unknown): void => {
        remove(entry);
        settle();
        reject(error);
        // What waits behind a heavy job that left may fit.
        advance();
      };
      const abort = (): void => leave(signal?.reason);
      const timer = is_request ? setTimeout(() => leave(busyError()), limits.wait_ms) : undefined;
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
      waiting_count += 1;
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
        running_bytes -= bytes;
        advance();
      }
    },
  };
}

const busyError = (): MediaError =>
  new MediaError('busy', 'The service is busy reading other files. Try again in a moment.');
