import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { Socket } from 'node:net';
import { createInterface } from 'node:readline';
import type { AskForSignature } from './credentials/credential-job.ts';
import { MediaError } from './media-error.ts';
import { PictureResponse, type PictureJob } from './picture-protocol.ts';
import { processEnv, runProcess } from './run-process.ts';
import type { Confinement } from './sandbox.ts';

/** The process uses 80 MB and takes a quarter of a second to start. */
const IDLE_MS = 30_000;
const START_MS = 30_000;
const DECODING_BYTES = 512 * 1024 ** 2;
/** Without these glibc keeps the memory of one image, and the next image finds its limit used up. */
const MALLOC_ENV = { MALLOC_ARENA_MAX: '2', MALLOC_MMAP_THRESHOLD_: '131072', MALLOC_TRIM_THRESHOLD_: '1048576' };
const STDERR_CHARS = 4_000;

interface RunOptions {
  timeoutMs: number;
  signal?: AbortSignal | undefined;
  /** Answers what a job of signing asks for. */
  sign?: AskForSignature | undefined;
}

export interface PictureProcess {
  /**
   * Runs one job at a time; the process starts on demand. @param options.timeoutMs from the start of the job
   * @throws {MediaError} `timeout`; `processing_failed` when the process exits during the job; the signal's reason
   */
  run(job: PictureJob, options: RunOptions): Promise<PictureResponse>;
  /** Stops an idle process to free memory for another one. */
  stopIfIdle(): void;
}

class ProcessExitedError extends Error {}

/** @param decodingBytes memory beyond that of the idle process; a decoder that needs more fails */
export function createPictureProcess(
  command: readonly string[],
  { can_limit }: Pick<Confinement, 'can_limit'>,
  decodingBytes = DECODING_BYTES,
): PictureProcess {
  let worker: Promise<Worker> | null = null;
  let turn: Promise<unknown> = Promise.resolve();
  let idle: NodeJS.Timeout | undefined;
  let jobs = 0;

  async function attempt(...[job, options]: Parameters<PictureProcess['run']>): Promise<PictureResponse> {
    clearTimeout(idle);
    try {
      const current = await (worker ??= startWorker(command, can_limit ? decodingBytes : null));
      const response = await current.send(job, options);
      idle = setTimeout(rest, IDLE_MS).unref();
      return response;
    } catch (error) {
      rest();
      throw error;
    }
  }

  function rest(): void {
    clearTimeout(idle);
    const ending = worker;
    worker = null;
    void ending?.then(
      (current) => current.end(),
      () => undefined,
    );
  }

  async function inTurn(...[job, options]: Parameters<PictureProcess['run']>): Promise<PictureResponse> {
    options.signal?.throwIfAborted();
    const wasRunning = worker !== null;
    try {
      return await attempt(job, options);
    } catch (error) {
      if (!(error instanceof ProcessExitedError)) throw error;
      // A process that worked before may have exited for another reason, such as its limit of processor time.
      if (wasRunning) return attempt(job, options).catch(throwAsMediaError);
      return throwAsMediaError(error);
    }
  }

  return {
    run(job, options) {
      jobs += 1;
      const mine = turn.then(() => inTurn(job, options)).finally(() => (jobs -= 1));
      turn = mine.catch(() => undefined);
      return mine;
    },
    stopIfIdle() {
      if (jobs === 0) rest();
    },
  };
}

function throwAsMediaError(error: unknown): never {
  if (!(error instanceof ProcessExitedError)) throw error;
  throw new MediaError('processing_failed', 'The image could not be read.', { cause: error });
}

interface Worker {
  send(job: PictureJob, options: RunOptions): Promise<PictureResponse>;
  end(): void;
}

async function startWorker([program = '', ...args]: readonly string[], decodingBytes: number | null): Promise<Worker> {
  const child = spawn(program, args, {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { ...processEnv(), ...MALLOC_ENV },
    windowsHide: true,
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr = (stderr + text).slice(-STDERR_CHARS)));
  const exited = new Promise<never>((_, reject) => {
    child.once('error', (error) => reject(new ProcessExitedError('It could not be started.', { cause: error })));
    child.once('close', (code, signal) =>
      reject(new ProcessExitedError(`It exited with ${code ?? signal}: ${stderr.trim()}`)),
    );
  });
  exited.catch(() => undefined);
  // Writing to an exited process is reported by its exit.
  child.stdin.on('error', () => undefined);

  async function nextLine({ timeoutMs, signal }: { timeoutMs: number; signal?: AbortSignal | undefined }) {
    setReferenced(child, true);
    const stopped = createDeadline(timeoutMs, signal);
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

  await nextLine({ timeoutMs: START_MS });
  if (decodingBytes !== null && child.pid !== undefined) await limitMemory(child.pid, decodingBytes);
  return {
    async send(job, options) {
      child.stdin.write(`${JSON.stringify(job)}\n`);
      const response = PictureResponse.parse(JSON.parse(await nextLine(options)));
      if (!('claim' in response) || !options.sign) return response;
      child.stdin.write(`${await options.sign(response.claim)}\n`);
      return PictureResponse.parse(JSON.parse(await nextLine(options)));
    },
    end: () => child.stdin.end(),
  };
}

/** What a runtime reserves at its start differs between versions and machines, so the limit is added to it. */
async function limitMemory(pid: number, decodingBytes: number): Promise<void> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  const [, kib] = /VmData:\s+(\d+)/.exec(status) ?? [];
  if (kib === undefined) return;
  const bytes = Number(kib) * 1024 + decodingBytes;
  const { exitCode, stderr } = await runProcess(['prlimit', '--pid', String(pid), `--data=${bytes}`]);
  if (exitCode !== 0 && !/No such process/.test(stderr)) throw new Error(`prlimit refused to limit memory: ${stderr}`);
}

/** An idle process must not keep the service from exiting. */
function setReferenced(child: ChildProcessWithoutNullStreams, isWorking: boolean): void {
  const verb = isWorking ? 'ref' : 'unref';
  child[verb]();
  for (const stream of child.stdio) if (stream instanceof Socket) stream[verb]();
}

function createDeadline(timeoutMs: number, signal: AbortSignal | undefined) {
  const { promise, reject } = Promise.withResolvers<never>();
  promise.catch(() => undefined);
  const late = new MediaError('timeout', 'The image took too long to read.');
  const timer = setTimeout(() => reject(late), timeoutMs);
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
