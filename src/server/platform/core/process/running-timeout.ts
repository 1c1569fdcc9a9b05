const STEP_MS = 250;
const LONGEST_STEP_MS = 1_000;

/**
 * Calls `act` after `ms` in which this process could run. While the machine is suspended or overloaded, or the event
 * loop blocked, timers expire although other work had no chance to finish.
 * @returns cancels it
 */
export function setRunningTimeout(ms: number, act: () => void, now = () => performance.now()): () => void {
  const longestStepMs = Math.min(LONGEST_STEP_MS, ms / 2);
  let leftMs = ms;
  let lastMs = now();
  const timer = setInterval(
    () => {
      const atMs = now();
      leftMs -= Math.min(atMs - lastMs, longestStepMs);
      lastMs = atMs;
      if (leftMs > 0) return;
      clearInterval(timer);
      act();
    },
    Math.min(STEP_MS, ms / 4),
  ).unref();
  return () => clearInterval(timer);
}
