import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { execa } from 'execa';

const TERM_GRACE_MS = 1_500;
const MAX_STDERR_CHARS = 4_000;

export interface ProcessOptions {
  /** Stops the process: SIGTERM, then SIGKILL after 1.5 s. */
  signal?: AbortSignal | undefined;
  timeoutMs?: number | undefined;
  /** Piped to standard input, with back-pressure. */
  input?: AsyncIterable<Uint8Array> | undefined;
  /** Receives standard output; a returned promise applies back-pressure. */
  onOutput?: ((chunk: Buffer) => void | Promise<void>) | undefined;
}

export interface ProcessResult {
  exitCode: number | null;
  exitSignal: NodeJS.Signals | null;
  timedOut: boolean;
  stderr: string;
}

/** @throws the signal's reason when aborted; what `input` or `onOutput` threw; the system's error if it can't start */
export async function runProcess(
  [program = '', ...args]: readonly string[],
  { signal, timeoutMs, input, onOutput }: ProcessOptions = {},
): Promise<ProcessResult> {
  signal?.throwIfAborted();
  const failed = new AbortController();
  const stopped = AbortSignal.any([failed.signal, ...(signal ? [signal] : [])]);
  const child = execa(program, args, {
    stdin: input ? 'pipe' : 'ignore',
    stdout: onOutput ? 'pipe' : 'ignore',
    buffer: false,
    reject: false,
    env: processEnv(),
    extendEnv: false,
    cleanup: false,
    cancelSignal: stopped,
    timeout: timeoutMs,
    forceKillAfterDelay: TERM_GRACE_MS,
  });
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr = (stderr + text).slice(-MAX_STDERR_CHARS)));
  const fail = (error: unknown): void => failed.abort(error);
  // Never awaited: a pending source must not outlive the process, whose exit decides.
  if (input && child.stdin) pipeline(catchErrors(input, fail), child.stdin).catch(() => undefined);
  const drained = onOutput && child.stdout && readOutput(child.stdout, onOutput).catch(fail);
  const { cause, exitCode, signal: exitSignal, timedOut } = await child;
  await drained;
  stopped.throwIfAborted();
  if (cause !== undefined && exitCode === undefined && exitSignal === undefined) throw cause;
  return { exitCode: exitCode ?? null, exitSignal: exitSignal ?? null, timedOut, stderr };
}

async function readOutput(stdout: Readable, onOutput: NonNullable<ProcessOptions['onOutput']>): Promise<void> {
  for await (const chunk of stdout) await onOutput(chunk);
}

/** Tells an error of the source from one of the pipe, such as a process that stops reading. */
async function* catchErrors(source: AsyncIterable<Uint8Array>, onError: (error: unknown) => void) {
  try {
    yield* source;
  } catch (error) {
    onError(error);
  }
}

/** What programs need to run. Secrets of the service are not passed on. */
const PASSED_ENV = ['PATH', 'LD_LIBRARY_PATH', 'DYLD_LIBRARY_PATH', 'LANG', 'LC_ALL', 'TMPDIR', 'SystemRoot'];

export const processEnv = (): NodeJS.ProcessEnv =>
  Object.fromEntries(
    PASSED_ENV.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])),
  );
