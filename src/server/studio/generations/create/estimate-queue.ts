/** Work of a lane, in the order in which it starts. */
export interface QueuedWork {
  id: string;
  /** Its usual time, without the queue; null: unknown. */
  run_seconds: number | null;
}

export interface RunningWork extends QueuedWork {
  elapsedSeconds: number;
  /** 0 to 1; null: unknown. */
  progress: number | null;
}

/** Below this, progress says little about the time that is left. */
const MIN_PROGRESS = 0.1;
/** Work that takes longer than usual is about to end. */
const MIN_SECONDS_LEFT = 1;

function runningSecondsLeft({ run_seconds, elapsedSeconds, progress }: RunningWork): number | null {
  if (run_seconds !== null) return Math.max(MIN_SECONDS_LEFT, run_seconds - elapsedSeconds);
  if (progress === null || progress < MIN_PROGRESS) return null;
  return Math.max(MIN_SECONDS_LEFT, (elapsedSeconds / progress) * (1 - progress));
}

/**
 * Estimates when work of a lane completes, by id: seconds from now, null where its own time is unknown. Work ahead with an
 * unknown time counts as long as the others take on average.
 * @param slots how many run at once
 */
export function estimateQueue(
  slots: number,
  running: readonly RunningWork[],
  queued: readonly QueuedWork[],
): ReadonlyMap<string, number | null> {
  const known = [...running, ...queued].flatMap(({ run_seconds }) => run_seconds ?? []);
  const average = known.length === 0 ? null : known.reduce((sum, seconds) => sum + seconds, 0) / known.length;
  const estimates = new Map<string, number | null>();
  const freeAt: (number | null)[] = [];
  for (const work of running) {
    const left = runningSecondsLeft(work);
    estimates.set(work.id, left);
    freeAt.push(left ?? average);
  }
  while (freeAt.length < slots) freeAt.push(0);
  for (const { id, run_seconds } of queued) {
    const next = freeAt.indexOf(minimum(freeAt));
    const start = freeAt[next] ?? null;
    const seconds = run_seconds ?? average;
    estimates.set(id, start === null || run_seconds === null ? null : start + run_seconds);
    freeAt[next] = start === null || seconds === null ? null : start + seconds;
  }
  return estimates;
}

/** The earliest time; null if any is unknown, since the next work may start then. */
function minimum(times: readonly (number | null)[]): number | null {
  let earliest = Number.POSITIVE_INFINITY;
  for (const time of times) {
    if (time === null) return null;
    earliest = Math.min(earliest, time);
  }
  return earliest;
}
