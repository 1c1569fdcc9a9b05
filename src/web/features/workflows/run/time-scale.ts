import { formatMediaDuration } from '#web/media/format-media.ts';

export interface TimeScale {
  startMs: number;
  spanMs: number;
  ticks: { share: number; label: string }[];
}

interface TimeBarExtent {
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

export function createTimeScale(startMs: number, endMs: number): TimeScale {
  const spanMs = Math.max(MIN_SPAN_MS, endMs - startMs);
  const seconds = spanMs / 1000;
  const step = TICK_STEPS_SECONDS.find((each) => seconds / each <= MAX_TICKS) ?? seconds;
  const count = Math.floor(seconds / step) + 1;
  return {
    startMs,
    spanMs,
    ticks: Array.from({ length: count }, (_, at) => ({
      share: Math.min(1, (at * step) / seconds),
      label: at === 0 ? '0' : formatMediaDuration(Number((at * step).toFixed(1))),
    })),
  };
}

/** Returns the extent of a step on the scale; null if it never started or finished before the scale. */
export function timeBarExtent(
  { startMs, spanMs }: TimeScale,
  startedAt: string | null | undefined,
  completedAt: string | null | undefined,
  nowMs: number,
): TimeBarExtent | null {
  if (!startedAt) return null;
  const from = (Date.parse(startedAt) - startMs) / spanMs;
  const to = ((completedAt ? Date.parse(completedAt) : nowMs) - startMs) / spanMs;
  if (!Number.isFinite(from) || !Number.isFinite(to) || to < 0) return null;
  const left = Math.min(1 - MIN_BAR_WIDTH, Math.max(0, from));
  return { left, width: Math.max(MIN_BAR_WIDTH, Math.min(1, to) - left) };
}
