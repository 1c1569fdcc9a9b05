import { clockWords } from '#web/forms/media-words.ts';

/** A span of time drawn from left to right. */
export interface TimeScale {
  start_ms: number;
  span_ms: number;
  ticks: { share: number; label: string }[];
}

/** A part of it; both as shares of the whole. */
export interface Bar {
  left: number;
  width: number;
}

const MOST_TICKS = 5;
const STEPS_SECONDS = [
  0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14_400, 43_200, 86_400,
];
const LEAST_SPAN_MS = 500;
/** So that what took no time can be seen. */
const LEAST_WIDTH = 0.006;

/** From one moment to another, with round ticks. */
export function timeScale(start_ms: number, end_ms: number): TimeScale {
  const span_ms = Math.max(LEAST_SPAN_MS, end_ms - start_ms);
  const seconds = span_ms / 1000;
  const step = STEPS_SECONDS.find((each) => seconds / each <= MOST_TICKS) ?? seconds;
  const count = Math.floor(seconds / step) + 1;
  return {
    start_ms,
    span_ms,
    ticks: Array.from({ length: count }, (_, at) => ({
      share: Math.min(1, (at * step) / seconds),
      label: at === 0 ? '0' : clockWords(Number((at * step).toFixed(1))),
    })),
  };
}

/** Where something that began, and may have ended, stands on a scale; null where it did not begin, or ended before it. */
export function barOf(
  { start_ms, span_ms }: TimeScale,
  started_at: string | null | undefined,
  completed_at: string | null | undefined,
  now_ms: number,
): Bar | null {
  if (!started_at) return null;
  const from = (Date.parse(started_at) - start_ms) / span_ms;
  const to = ((completed_at ? Date.parse(completed_at) : now_ms) - start_ms) / span_ms;
  if (!Number.isFinite(from) || !Number.isFinite(to) || to < 0) return null;
  const left = Math.min(1 - LEAST_WIDTH, Math.max(0, from));
  return { left, width: Math.max(LEAST_WIDTH, Math.min(1, to) - left) };
}
