/**
 * Reads ffmpeg's `-progress` lines and reports the fraction done: rising, at most 0.99 until ffmpeg says that it ended.
 * @param total_seconds length of the output
 */
export function createProgressReader(
  total_seconds: number,
  onProgress: (fraction: number) => void,
): (chunk: Uint8Array) => void {
  const decoder = new TextDecoder();
  let rest = '';
  let reported = 0;
  return (chunk) => {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      const fraction = parseFraction(line, total_seconds);
      if (fraction === undefined || fraction <= reported) continue;
      reported = fraction;
      onProgress(fraction);
    }
  };
}

function parseFraction(line: string, total_seconds: number): number | undefined {
  if (line === 'progress=end') return 1;
  const [key, value] = line.split('=');
  if (key !== 'out_time_us') return undefined;
  const done_seconds = Number(value) / 1e6;
  return done_seconds > 0 ? Math.min(0.99, done_seconds / total_seconds) : undefined;
}
