import type { DecodeOptions } from './decode-queue.ts';
import { runFfmpeg } from './ffmpeg.ts';
import { flags } from './flags.ts';
import type { MediaTools } from './media-tools.ts';

const SAMPLES_PER_SECOND = 8_000;
/** 10 ms, so that short audio has enough peaks. */
const FINEST_STEP = 80;
const MAX_PEAKS = 1_000;
const TIMEOUT_MS = 600_000;
const SOUND_BYTES = 48 * 1024 ** 2;

/**
 * The loudest level (0–1) of each of at most 1,000 equal steps. @throws {MediaError}; the signal's reason when aborted
 */
export async function readPeaks(tools: MediaTools, file: string, options: DecodeOptions): Promise<number[]> {
  const collector = createPeakCollector();
  let odd = Buffer.alloc(0);
  const run = {
    args: flags`-i file:${file} -map 0:a:0 -vn -sn -dn -ac 1 -ar ${SAMPLES_PER_SECOND} -f s16le pipe:1`,
    signal: options.signal,
    timeoutMs: TIMEOUT_MS,
    inBackground: true,
    isProbe: true,
    onOutput(chunk: Buffer) {
      const bytes = odd.length > 0 ? Buffer.concat([odd, chunk]) : chunk;
      const whole = bytes.length - (bytes.length % 2);
      for (let at = 0; at < whole; at += 2) collector.add(Math.abs(bytes.readInt16LE(at)));
      odd = Buffer.from(bytes.subarray(whole));
    },
  };
  await tools.queue.run(SOUND_BYTES, options, () => runFfmpeg(tools, run));
  return collector.peaks().map((peak) => Math.round((peak / 32_768) * 1_000) / 1_000);
}

/** Collects peaks of unknown length: when there are too many, pairs are merged. */
export function createPeakCollector(): { add(level: number): void; peaks(): number[] } {
  let peaks: number[] = [];
  let step = FINEST_STEP;
  let highest = 0;
  let samplesInStep = 0;
  return {
    add(level) {
      if (level > highest) highest = level;
      samplesInStep += 1;
      if (samplesInStep < step) return;
      peaks.push(highest);
      highest = 0;
      samplesInStep = 0;
      if (peaks.length < MAX_PEAKS) return;
      peaks = Array.from({ length: MAX_PEAKS / 2 }, (_, index) =>
        Math.max(peaks[2 * index] ?? 0, peaks[2 * index + 1] ?? 0),
      );
      step *= 2;
    },
    peaks: () => (samplesInStep * 2 >= step || peaks.length === 0 ? [...peaks, highest] : peaks),
  };
}
