import { formatMediaDuration } from '#web/media/format-media.ts';

export interface TimeScale {
  start_ms: number;
  span_ms: number;
  ticks: { share: number; label: string }[];
}

export interface TimeBarExtent {
  left: number;
  width: number;
}

const MAX_TICKS = 5;
const TICK_STEPS_SECONDS = [
  0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14_400, 43_200, 86_400,
];
const MIN_SPAN_MS = 500;
/** Keeps steps without duration visible. */
const MIN_BAR_WIDTH = 0.006;

export function createTimeScale(start_ms: number, end_ms: number): TimeScale {
  const span_ms = Math.max(MIN_SPAN_MS, end_ms - start_ms);
  const seconds = span_ms / 1000;
  const step = TICK_STEPS_SECONDS.find((each) => seconds / each <= MAX_TICKS) ?? seconds;
  const count = Math.floor(seconds / step) + 1;
  return {
    start_ms,
    span_ms,
    ticks: Array.from({ length: count }, (_, at) => ({
      share: Math.min(1, (at * step) / seconds),
      label: at === 0 ? '0' : formatMediaDuration(Number((at * step).toFixed(1))),
    })),
  };
}

/** Returns the extent of a step on the scale; null if it never started or finished before the scale. */
export function timeBarExtent(
  { start_ms, span_ms }: TimeScale,
  started_at: string | null | undefined,
  completed_at: string | null | undefined,
  now_ms: number,
): TimeBarExtent | null {
  if (!started_at) return null;
  const from = (Date.parse(started_at) - start_ms) / span_ms;
  const to = ((completed_at ? Date.parse(completed_at) : now_ms) - start_ms) / span_ms;
  if (!Number.isFinite(from) || !Number.isFinite(to) || to < 0) return null;
  const left = Math.min(1 - MIN_BAR_WIDTH, Math.max(0, from));
  return { left, width: Math.max(MIN_BAR_WIDTH, Math.min(1, to) - left) };
}
