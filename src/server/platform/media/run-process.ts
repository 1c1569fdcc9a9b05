import { spawn, type ChildProcess } from 'node:child_process';
import type { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

const TERM_GRACE_MS = 1_500;
const MAX_STDERR_CHARS = 4_000;

export interface ProcessOptions {
  /** Stops the process: SIGTERM, then SIGKILL after 1.5 s. */
  signal?: AbortSignal | undefined;
  timeout_ms?: number | undefined;
  /** Piped to standard input, with back-pressure. */
  input?: AsyncIterable<Uint8Array> | undefined;
  /** Receives standard output; a returned promise applies back-pressure. */
  onOutput?: ((chunk: Buffer) => void | Promise<void>) | undefined;
}

export interface ProcessResult {
  exit_code: number | null;
  exit_signal: NodeJS.Signals | null;
  timed_out: boolean;
  stderr: string;
}

/** @throws the signal's reason when aborted; what `input` or `onOutput` threw; the system's error if it can't start */
export async function runProcess(command: readonly string[], options: ProcessOptions = {}): Promise<ProcessResult> {
  options.signal?.throwIfAborted();
  const [program = '', ...args] = command;
  const child = spawn(program, args, {
    stdio: [options.input ? 'pipe' : 'ignore', options.onOutput ? 'pipe' : 'ignore', 'pipe'],
    env: processEnv(),
    windowsHide: true,
  });
  const stop = createStopper(child);
  let failure: { error: unknown } | undefined;
  const fail = (error: unknown): void => {
    failure ??= { error };
    stop();
  };
  let timed_out = false;
  const timer = options.timeout_ms === undefined ? undefined : setTimeout(expire, options.timeout_ms);
  function expire(): void {
    timed_out = true;
    stop();
  }
  options.signal?.addEventListener('abort', stop, { once: true });

  let stderr = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    stderr = (stderr + text).slice(-MAX_STDERR_CHARS);
  });
  if (options.input && child.stdin) writeInput(options.input, child.stdin, fail);
  const drained = readOutput(child, options.onOutput, fail);
  try {
    const [exit_code, exit_signal] = await waitForExit(child);
    await drained;
    options.signal?.throwIfAborted();
    if (failure) throw failure.error;
    return { exit_code, exit_signal, timed_out, stderr };
  } finally {
    clearTimeout(timer);
    options.signal?.removeEventListener('abort', stop);
  }
}

/** What programs need to run. Secrets of the service are not passed on. */
const PASSED_ENV = ['PATH', 'LD_LIBRARY_PATH', 'DYLD_LIBRARY_PATH', 'LANG', 'LC_ALL', 'TMPDIR', 'SystemRoot'];

export const processEnv = (): NodeJS.ProcessEnv =>
  Object.fromEntries(
    PASSED_ENV.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])),
  );

function createStopper(child: ChildProcess): () => void {
  let is_stopping = false;
  return () => {
    if (is_stopping) return;
    is_stopping = true;
    child.kill('SIGTERM');
    const timer = setTimeout(() => child.kill('SIGKILL'), TERM_GRACE_MS);
    child.once('close', () => clearTimeout(timer));
  };
}

function waitForExit(child: ChildProcess): Promise<[number | null, NodeJS.Signals | null]> {
  return new Promise((resolve, reject) => {
    child.once('error', (error) => {
      if (child.pid === undefined) reject(error);
    });
    child.once('close', (code, signal) => resolve([code, signal]));
  });
}

/** Never awaited: a pending source must not outlive the process, whose exit decides. */
function writeInput(input: AsyncIterable<Uint8Array>, stdin: Writable, fail: (error: unknown) => void): void {
  pipeline(input, stdin).catch((error: unknown) => {
    if (!isClosedPipe(error)) fail(error);
  });
}

const CLOSED_PIPE = new Set(['EPIPE', 'ECONNRESET', 'ERR_STREAM_PREMATURE_CLOSE', 'ERR_STREAM_DESTROYED']);
const isClosedPipe = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' && CLOSED_PIPE.has(error.code);

async function readOutput(
  child: ChildProcess,
  onOutput: ProcessOptions['onOutput'],
  fail: (error: unknown) => void,
): Promise<void> {
  if (!onOutput || !child.stdout) return;
  try {
    for await (const chunk of child.stdout) await onOutput(chunk);
  } catch (error) {
    fail(error);
  }
}
