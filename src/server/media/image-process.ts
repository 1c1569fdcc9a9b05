import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { MediaError } from './media-error.ts';
import { ImageResponse, type ImageJob } from './image-protocol.ts';
import { processEnv, runProcess } from './run-process.ts';
import type { Confinement } from './sandbox.ts';

/** The process takes 80 MB and a quarter of a second to start. */
const IDLE_MS = 30_000;
const START_MS = 30_000;
const DECODING_BYTES = 512 * 1024 ** 2;
/** Without these glibc keeps the memory of one image, and the next one exceeds the limit. */
const MALLOC_ENV = { MALLOC_ARENA_MAX: '2', MALLOC_MMAP_THRESHOLD_: '131072', MALLOC_TRIM_THRESHOLD_: '1048576' };
const STDERR_CHARS = 4_000;

export interface ImageProcess {
  /**
   * Runs jobs in the decoder process, one at a time. The process starts on demand and exits when idle.
   * @param options.timeout_ms counts from the start of the job
   * @throws {MediaError} `timeout`; `processing_failed` if the process dies; the signal's reason
   */
  run(job: ImageJob, options: { timeout_ms: number; signal?: AbortSignal | undefined }): Promise<ImageResponse>;
  /** Stops the process if it is idle, to free memory. */
  stopIfIdle(): void;
}

/** The process exited before or during the job. */
class ProcessExitedError extends Error {}

/** @param decoding_bytes memory limit in addition to the memory at start; decoders that need more fail */
export function createImageProcess(
  command: readonly string[],
  { can_limit }: Pick<Confinement, 'can_limit'>,
  decoding_bytes = DECODING_BYTES,
): ImageProcess {
  let worker: Promise<Worker> | null = null;
  let turn: Promise<unknown> = Promise.resolve();
  let idle: NodeJS.Timeout | undefined;
  let jobs = 0;

  async function attempt(...[job, options]: Parameters<ImageProcess['run']>): Promise<ImageResponse> {
    clearTimeout(idle);
    try {
      const current = await (worker ??= startWorker(command, can_limit ? decoding_bytes : null));
      const response = await current.send(job, options);
      idle = setTimeout(stop, IDLE_MS).unref();
      return response;
    } catch (error) {
      stop();
      throw error;
    }
  }

  function stop(): void {
    clearTimeout(idle);
    const previous = worker;
    worker = null;
    void previous?.then(
      (current) => current.close(),
      () => undefined,
    );
  }

  async function inTurn(...[job, options]: Parameters<ImageProcess['run']>): Promise<ImageResponse> {
    options.signal?.throwIfAborted();
    const was_running = worker !== null;
    try {
      return await attempt(job, options);
    } catch (error) {
      if (!(error instanceof ProcessExitedError)) throw error;
      // A process that completed jobs before may have exited for another reason, such as its processor time limit.
      if (was_running) return attempt(job, options).catch(throwAsMediaError);
      return throwAsMediaError(error);
    }
  }

  return {
    run(job, options) {
      jobs += 1;
      const result = turn.then(() => inTurn(job, options)).finally(() => (jobs -= 1));
      turn = result.catch(() => undefined);
      return result;
    },
    stopIfIdle() {
      if (jobs === 0) stop();
    },
  };
}

function throwAsMediaError(error: unknown): never {
  if (!(error instanceof ProcessExitedError)) throw error;
  throw new MediaError('processing_failed', 'The image could not be read.', { cause: error });
}

interface Worker {
  send(job: ImageJob, options: { timeout_ms: number; signal?: AbortSignal | undefined }): Promise<ImageResponse>;
  close(): void;
}

async function startWorker([program = '', ...args]: readonly string[], decoding_bytes: number | null): Promise<Worker> {
  const child = spawn(program, args, {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { ...processEnv(), ...MALLOC_ENV },
    windowsHide: true,
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr = (stderr + text).slice(-STDERR_CHARS)));
  const exited = new Promise<never>((_, reject) => {
    child.once('error', (error) =>
      reject(new ProcessExitedError('The process could not be started.', { cause: error })),
    );
    child.once('close', (code, signal) =>
      reject(new ProcessExitedError(`The process exited with ${code ?? signal}: ${stderr.trim()}`)),
    );
  });
  exited.catch(() => undefined);
  // A failed write is reported by the exit of the process.
  child.stdin.on('error', () => undefined);

  async function nextLine({ timeout_ms, signal }: { timeout_ms: number; signal?: AbortSignal | undefined }) {
    setReferenced(child, true);
    const stopped = createDeadline(timeout_ms, signal);
    try {
      const { value } = await Promise.race([lines.next(), exited, stopped.promise]);
      if (typeof value !== 'string') return await Promise.race([exited, stopped.promise]);
      return value;
    } catch (error) {
      child.kill('SIGKILL');
      throw error;
    } finally {
      stopped.clear();
      setReferenced(child, false);
    }
  }

  await nextLine({ timeout_ms: START_MS });
  if (decoding_bytes !== null && child.pid !== undefined) await limitMemory(child.pid, decoding_bytes);
  return {
    async send(job, options) {
      child.stdin.write(`${JSON.stringify(job)}\n`);
      return ImageResponse.parse(JSON.parse(await nextLine(options)));
    },
    close: () => child.stdin.end(),
  };
}

/** The limit is added to the memory at start, which differs between versions and machines. */
async function limitMemory(pid: number, decoding_bytes: number): Promise<void> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  const [, kib] = /VmData:\s+(\d+)/.exec(status) ?? [];
  if (kib === undefined) return;
  const bytes = Number(kib) * 1024 + decoding_bytes;
  const { exit_code, stderr } = await runProcess(['prlimit', '--pid', String(pid), `--data=${bytes}`]);
  if (exit_code !== 0 && !/No such process/.test(stderr)) throw new Error(`prlimit failed to limit memory: ${stderr}`);
}

/** An idle process must not keep this one running. */
function setReferenced(child: ChildProcessWithoutNullStreams, is_working: boolean): void {
  const verb = is_working ? 'ref' : 'unref';
  child[verb]();
  for (const stream of child.stdio) if (stream instanceof Socket) stream[verb]();
}

function createDeadline(timeout_ms: number, signal: AbortSignal | undefined) {
  const { promise, reject } = Promise.withResolvers<never>();
  promise.catch(() => undefined);
  const timeout_error = new MediaError('timeout', 'The image took too long to read.');
  const timer = setTimeout(() => reject(timeout_error), timeout_ms);
  const abort = (): void => reject(signal?.reason);
  signal?.addEventListener('abort', abort, { once: true });
  return {
    promise,
    clear() {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
    },
  };
}
