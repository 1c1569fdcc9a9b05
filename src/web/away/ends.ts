import { type GenerationStatus, isActive } from '#contract/generation-status.ts';
import type { Generation } from '#contract/resources/generation.ts';

/** What is waited for, and what came of what was waited for since nothing was. */
export interface Ends {
  /** Takes note of a reading. Answers what came of all, where this was the last. */
  note: (reading: Pick<Generation, 'id' | 'status' | 'progress'>) => Outcome | null;
  /** It is no longer there. */
  drop: (id: string) => Outcome | null;
  /** Ids, those that were not heard of for longest first. */
  waiting: () => string[];
  /** A few words on how far it is; null while nothing is under way. */
  words: () => string | null;
}

export interface Outcome {
  done: number;
  failed: number;
  review: number;
}

const ENDS = { succeeded: 'done', failed: 'failed', manual_review: 'review' } as const satisfies Partial<
  Record<GenerationStatus, keyof Outcome>
>;
const NOTHING: Outcome = { done: 0, failed: 0, review: 0 };

export function createEnds(ids: readonly string[] = []): Ends {
  const waiting = new Map<string, number | null>(ids.map((id) => [id, null]));
  let outcome = NOTHING;

  const settle = (): Outcome | null => {
    if (waiting.size > 0) return null;
    const all = outcome;
    outcome = NOTHING;
    // What was only stopped, its owner knows.
    return all.done + all.failed + all.review > 0 ? all : null;
  };
  const drop = (id: string) => (waiting.delete(id) ? settle() : null);

  return {
    note: ({ id, status, progress }) => {
      if (isActive(status)) {
        waiting.delete(id);
        waiting.set(id, progress);
        return null;
      }
      if (!waiting.has(id)) return null;
      const end = status in ENDS ? ENDS[status as keyof typeof ENDS] : null;
      if (end) outcome = { ...outcome, [end]: outcome[end] + 1 };
      return drop(id);
    },
    drop,
    waiting: () => [...waiting.keys()],
    words: () => {
      const [progress] = waiting.values();
      if (waiting.size === 0) return null;
      if (waiting.size > 1) return `${waiting.size} under way`;
      return typeof progress === 'number' ? `${Math.floor(progress * 100)}%` : 'Under way';
    },
  };
}

/** "Done", "2 done, 1 failed". */
export function outcomeWords({ done, failed, review }: Outcome): string {
  const parts = [
    { count: done, one: 'Done', many: `${done} done` },
    { count: failed, one: 'Failed', many: `${failed} failed` },
    { count: review, one: 'In review', many: `${review} in review` },
  ].filter(({ count }) => count > 0);
  const [only] = parts;
  if (parts.length === 1 && only) return only.count === 1 ? only.one : only.many;
  return parts.map(({ many }) => many).join(', ');
}
