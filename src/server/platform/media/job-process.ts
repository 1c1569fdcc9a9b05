import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { Socket } from 'node:net';
import { createInterface } from 'node:readline';
import type * as z from 'zod/mini';
import allocatorSettings from '#server/platform/core/process/allocator-settings.json' with { type: 'json' };
import { MediaError } from './media-error.ts';
import { processEnv, runProcess } from './run-process.ts';

/** A process takes a quarter of a second to start, and up to 80 MB while it waits. */
const IDLE_MS = 30_000;
const START_MS = 30_000;
const STDERR_CHARS = 4_000;

interface RunOptions<Response> {
  timeoutMs: number;
  signal?: AbortSignal | undefined;
  /** Answers a response that asks for something during the job, in one line; undefined: the response is the result. */
  answer?: ((response: Response) => Promise<string> | undefined) | undefined;
}

export interface JobProcess<Job, Response> {
  /**
   * Runs one job at a time; the process starts on demand. @param options.timeoutMs from the start of the job
   * @throws {MediaError} `timeout`; `processing_failed` when the process exits during the job; `busy` when it does not
   * start; the signal's reason
   */
  run(job: Job, options: RunOptions<Response>): Promise<Response>;
  /** Stops an idle process to free memory for another one. */
  stopIfIdle(): void;
}

export interface JobProcessConfig<Response> {
  /** Starts an entry that calls `serveJobs`, confined: `workerCommand`. */
  command: readonly string[];
  /** Parses what the process writes. */
  response: z.ZodMiniType<Response>;
  /** Memory beyond that of the idle process; a job that needs more fails. null: not limited. */
  memoryBytes: number | null;
  /** Sentences for the user. */
  messages: { timeout: string; exited: string };
}

class ProcessExitedError extends Error {}

/** A child process for jobs with untrusted input; each has a turn of its own and waits for no other process. */
export function createJobProcess<Job, Response>({
  command,
  response: responseSchema,
  memoryBytes,
  messages,
}: JobProcessConfig<Response>): JobProcess<Job, Response> {
  type Run = [job: Job, options: RunOptions<Response>];
  let worker: Promise<Worker> | null = null;
  let turn: Promise<unknown> = Promise.resolve();
  let idle: NodeJS.Timeout | undefined;
  let jobs = 0;

  async function send(current: Worker, ...[job, { timeoutMs, signal, answer }]: Run): Promise<Response> {
    const ask = async (line: string): Promise<Response> => {
      const text = await current.ask(
        line,
        createDeadline(timeoutMs, new MediaError('timeout', messages.timeout), signal),
      );
      return responseSchema.parse(JSON.parse(text));
    };
    const response = await ask(JSON.stringify(job));
    const answered = answer?.(response);
    return answered ? ask(await answered) : response;
  }

  async function attempt(...[job, options]: Run): Promise<Response> {
    clearTimeout(idle);
    try {
      const response = await send(await (worker ??= startWorker(command, memoryBytes)), job, options);
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

  async function inTurn(...[job, options]: Run): Promise<Response> {
    options.signal?.throwIfAborted();
    const wasRunning = worker !== null;
    const startedAt = performance.now();
    try {
      return await attempt(job, options);
    } catch (error) {
      if (!(error instanceof ProcessExitedError)) throw error;
      // A process that worked before may have exited for another reason, such as its limit of processor time.
      const timeoutMs = options.timeoutMs - (performance.now() - startedAt);
      if (wasRunning && timeoutMs > 0) return attempt(job, { ...options, timeoutMs }).catch(throwAsMediaError);
      return throwAsMediaError(error);
    }
  }

  function throwAsMediaError(error: unknown): never {
    if (!(error instanceof ProcessExitedError)) throw error;
    throw new MediaError('processing_failed', messages.exited, { cause: error });
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

interface Worker {
  ask(line: string, deadline: Deadline): Promise<string>;
  end(): void;
}

async function startWorker([program = '', ...args]: readonly string[], memoryBytes: number | null): Promise<Worker> {
  const child = spawn(program, args, {
    stdio: ['pipe', 'pipe', 'pipe'],
    // Without these glibc keeps the memory of one image, and the next image finds its limit used up.
    env: { ...processEnv(), ...allocatorSettings },
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

  async function nextLine(deadline: Deadline): Promise<string> {
    setReferenced(child, true);
    try {
      const { value } = await Promise.race([lines.next(), exited, deadline.promise]);
      if (typeof value !== 'string') return await Promise.race([exited, deadline.promise]);
      return value;
    } catch (error) {
      child.kill('SIGKILL');
      throw error;
    } finally {
      deadline.clear();
      setReferenced(child, false);
    }
  }

  const late = new MediaError('timeout', 'The process took too long to start.');
  await nextLine(createDeadline(START_MS, late)).catch(throwAsBusy);
  if (memoryBytes !== null && child.pid !== undefined) await limitMemory(child.pid, memoryBytes);
  return {
    ask(line, deadline) {
      child.stdin.write(`${line}\n`);
      return nextLine(deadline);
    },
    end: () => child.stdin.end(),
  };
}

/** A process that does not start says nothing about a file. */
function throwAsBusy(cause: unknown): never {
  throw new MediaError('busy', 'The service can’t read files right now. Try again in a moment.', { cause });
}

/** What a runtime reserves at its start differs between versions and machines, so the limit is added to it. */
async function limitMemory(pid: number, memoryBytes: number): Promise<void> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  const [, kib] = /VmData:\s+(\d+)/.exec(status) ?? [];
  if (kib === undefined) return;
  const bytes = Number(kib) * 1024 + memoryBytes;
  const { exitCode, stderr } = await runProcess(['prlimit', '--pid', String(pid), `--data=${bytes}`]);
  if (exitCode !== 0 && !/No such process/.test(stderr)) throw new Error(`prlimit refused to limit memory: ${stderr}`);
}

/** An idle process must not keep the service from exiting. */
function setReferenced(child: ChildProcessWithoutNullStreams, isWorking: boolean): void {
  const verb = isWorking ? 'ref' : 'unref';
  child[verb]();
  for (const stream of child.stdio) if (stream instanceof Socket) stream[verb]();
}

interface Deadline {
  promise: Promise<never>;
  clear(): void;
}

function createDeadline(timeoutMs: number, late: MediaError, signal?: AbortSignal): Deadline {
  const { promise, reject } = Promise.withResolvers<never>();
  promise.catch(() => undefined);
  const timer = setTimeout(() => reject(late), timeoutMs);
  const abort = (): void => reject(signal?.reason);
  signal?.addEventListener('abort', abort, { once: true });
  // The process may have started in the meantime.
  if (signal?.aborted) abort();
  return {
    promise,
    clear() {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
    },
  };
}
