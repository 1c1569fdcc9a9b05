import type { ProbedStream } from './ffprobe.ts';

/** `30000/1001` becomes 29.97…; null for `0/0`, `N/A` and similar. */
export function parseRatio(text: string | undefined): number | null {
  const [top, bottom = '1'] = (text ?? '').split(/[/:]/);
  const value = Number(top) / Number(bottom);
  return Number.isFinite(value) && value > 0 ? value : null;
}

export function displaySize(stream: ProbedStream): { width: number; height: number } {
  const { width = 0, height = 0 } = stream;
  const wide = Math.round(width * (parseRatio(stream.sample_aspect_ratio) ?? 1));
  return isQuarterTurned(stream) ? { width: height, height: wide } : { width: wide, height };
}

function isQuarterTurned(stream: ProbedStream): boolean {
  const turned = stream.side_data_list?.find((data) => data.rotation !== undefined)?.rotation;
  return Math.abs(Math.round(turned ?? 0)) % 180 === 90;
}
