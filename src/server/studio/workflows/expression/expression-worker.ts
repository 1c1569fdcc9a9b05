import { Worker } from 'node:worker_threads';
import type { Ready, ThreadRequest, ThreadResponse, ThreadResult, ThreadTask } from './expression-thread.ts';

export class RunawayError extends Error {
  override readonly name = 'RunawayError';
}

/** A thread that starts with the first request and ends when it has been idle for a while. */
export interface ExpressionWorker {
  /** Runs one request at a time. @throws {RunawayError} */
  run(task: ThreadTask): Promise<ThreadResult>;
}

const START_MS = 30_000;
/** Long enough for steps that follow each other, short enough to free the memory soon. */
const IDLE_MS = 60_000;
const MEMORY = { maxOldGenerationSizeMb: 192, maxYoungGenerationSizeMb: 16, stackSizeMb: 4 };

interface Pending {
  request: ThreadRequest;
  resolve(result: ThreadResult): void;
  reject(error: unknown): void;
}

/** @param deadlineMs counted from when the thread is ready, because a busy machine may start it slowly */
export function createExpressionWorker(deadlineMs: number): ExpressionWorker {
  let thread: Worker | undefined;
  let isReady = false;
  let pending: Pending | undefined;
  let timer: NodeJS.Timeout | undefined;
  let lastId = 0;

  function start(): Worker {
    const worker = new Worker(new URL('./expression-thread.ts', import.meta.url), { resourceLimits: MEMORY });
    isReady = false;
    worker.on('message', (message: ThreadResponse | Ready) => {
      if (thread !== worker) return;
      if (message === 'ready') {
        isReady = true;
        return startTimer();
      }
      if (pending?.request.id === message.id) finish(({ resolve }) => resolve(message.result));
    });
    worker.on('error', (error: NodeJS.ErrnoException) => {
      if (thread !== worker) return;
      thread = undefined;
      const isMemory = error.code === 'ERR_WORKER_OUT_OF_MEMORY';
      finish(({ reject }) => reject(isMemory ? new RunawayError('Out of memory.', { cause: error }) : error));
    });
    return worker;
  }

  function terminate(): void {
    void thread?.terminate();
    thread = undefined;
  }

  function finish(settle: (request: Pending) => void): void {
    const finished = pending;
    pending = undefined;
    clearTimeout(timer);
    thread?.unref();
    timer = setTimeout(terminate, IDLE_MS).unref();
    if (finished) settle(finished);
  }

  function startTimer(): void {
    clearTimeout(timer);
    const error = isReady ? new RunawayError('Out of time.') : new Error('The thread for expressions did not start.');
    timer = setTimeout(
      () => {
        terminate();
        finish(({ reject }) => reject(error));
      },
      isReady ? deadlineMs : START_MS,
    );
  }

  return {
    run: (task) =>
      new Promise((resolve, reject) => {
        lastId += 1;
        pending = { request: { id: lastId, task }, resolve, reject };
        thread ??= start();
        thread.ref();
        thread.postMessage(pending.request, []);
        startTimer();
      }),
  };
}
