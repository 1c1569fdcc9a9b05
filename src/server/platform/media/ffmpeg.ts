import { flags } from './flags.ts';
import { invalidMediaError, MediaError } from './media-error.ts';
import { type MediaTools, requireStreamTools } from './media-tools.ts';
import { runProcess } from './run-process.ts';
import {
  confineCommand,
  DECODER_THREADS,
  GLOBAL_GUARD,
  guardInputs,
  PROBE_MEMORY_BYTES,
  sandboxCommand,
} from './sandbox.ts';

export interface FfmpegRun {
  /** Inputs, filters and outputs. Untrusted inputs must be `-i file:…` or `-i pipe:…`; outputs `file:…`. */
  args: readonly string[];
  /** Stops ffmpeg: SIGTERM, then SIGKILL after 1.5 s. */
  signal?: AbortSignal | undefined;
  /** Length of the output; needed by `onProgress` and for the limit of processor time. */
  total_seconds?: number | undefined;
  /** 0 to 1, rising. */
  onProgress?: ((fraction: number) => void) | undefined;
  input?: AsyncIterable<Uint8Array> | undefined;
  /** Receives `pipe:1`; without it, standard output carries the progress. */
  onOutput?: ((chunk: Buffer) => void | Promise<void>) | undefined;
  timeoutMs?: number | undefined;
  /** All inputs are our own: no format list, no limits, any kind of `-i`. */
  trusted?: boolean | undefined;
  inBackground?: boolean | undefined;
  /** Reads only a few frames, so it gets little memory. */
  isProbe?: boolean | undefined;
}

/** Processor seconds granted per second of output; 1080p takes about one. */
const CPU_PER_SECOND = 8;
const OUT_OF_MEMORY = /Cannot allocate memory|get_buffer\(\) failed/;

/**
 * Exit code 0 proves little: probe the output.
 * @throws {MediaError} when it fails or times out; the signal's reason when aborted; what `input` throws
 */
export async function runFfmpeg(tools: MediaTools, run: FfmpegRun): Promise<void> {
  const { total_seconds, onProgress } = run;
  const { ffmpegPath } = requireStreamTools(tools);
  const reports = onProgress !== undefined && total_seconds !== undefined && run.onOutput === undefined;
  const command = [
    ...(run.inBackground ? tools.inBackground : []),
    ffmpegPath,
    ...flags('-hide_banner -nostdin -v error -y'),
    ...(run.trusted ? [] : GLOBAL_GUARD),
    ...(reports ? flags('-nostats -progress pipe:1') : []),
    ...(run.trusted ? run.args : guardInputs(run.args, DECODER_THREADS[run.isProbe ? 'probe' : 'job'])),
  ];
  const result = await runProcess(
    run.trusted
      ? confineCommand(tools, command)
      : sandboxCommand(tools, command, {
          cpuSeconds: (total_seconds ?? 0) * CPU_PER_SECOND,
          memoryBytes: run.isProbe ? PROBE_MEMORY_BYTES : undefined,
        }),
    {
      signal: run.signal,
      timeoutMs: run.timeoutMs,
      input: run.input,
      onOutput: reports ? createProgressReader(total_seconds, onProgress) : run.onOutput,
    },
  );
  if (result.exitCode === 0) return;
  const cause = new Error(`ffmpeg exited with ${result.exitCode ?? result.exitSignal}: ${result.stderr.trim()}`);
  if (result.timedOut || result.exitSignal === 'SIGXCPU') {
    throw new MediaError('timeout', 'The media took too long to process.', { cause });
  }
  if (run.isProbe && OUT_OF_MEMORY.test(result.stderr)) {
    throw invalidMediaError('The file needs too much memory to be read. Use a smaller image.', cause);
  }
  throw new MediaError('processing_failed', 'The media could not be processed.', { cause });
}

/** Reports the fraction done: rising, at most 0.99 until ffmpeg completes. */
export function createProgressReader(
  totalSeconds: number,
  onProgress: (fraction: number) => void,
): (chunk: Uint8Array) => void {
  const decoder = new TextDecoder();
  let rest = '';
  let reported = 0;
  return (chunk) => {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      const fraction = parseFraction(line, totalSeconds);
      if (fraction === undefined || fraction <= reported) continue;
      reported = fraction;
      onProgress(fraction);
    }
  };
}

function parseFraction(line: string, totalSeconds: number): number | undefined {
  if (line === 'progress=end') return 1;
  const [key, value] = line.split('=');
  if (key !== 'out_time_us') return undefined;
  const doneSeconds = Number(value) / 1e6;
  return doneSeconds > 0 ? Math.min(0.99, doneSeconds / totalSeconds) : undefined;
}
