import { type GenerationStatus, isActive } from '#contract/generation-status.ts';
import type { Generation } from '#contract/resources/generation.ts';

/** What is waited for, and what came of what was waited for since nothing was. */
export interface CompletionTracker {
  /** Takes note of a reading. Answers what came of all, where this was the last. */
  update: (reading: Pick<Generation, 'id' | 'status' | 'progress'>) => CompletionCounts | null;
  /** It is no longer there. */
  remove: (id: string) => CompletionCounts | null;
  /** Ids, those that were not heard of for longest first. */
  pendingIds: () => string[];
  /** A few words on how far it is; null while nothing is under way. */
  label: () => string | null;
}

export interface CompletionCounts {
  done: number;
  failed: number;
  review: number;
}

const COUNTED_STATUSES = { succeeded: 'done', failed: 'failed', manual_review: 'review' } as const satisfies Partial<
  Record<GenerationStatus, keyof CompletionCounts>
>;
const NO_COMPLETIONS: CompletionCounts = { done: 0, failed: 0, review: 0 };

export function createCompletionTracker(ids: readonly string[] = []): CompletionTracker {
  const waiting = new Map<string, number | null>(ids.map((id) => [id, null]));
  let outcome = NO_COMPLETIONS;

  const settle = (): CompletionCounts | null => {
    if (waiting.size > 0) return null;
    const all = outcome;
    outcome = NO_COMPLETIONS;
    // What was only stopped, its owner knows.
    return all.done + all.failed + all.review > 0 ? all : null;
  };
  const drop = (id: string) => (waiting.delete(id) ? settle() : null);

  return {
    update: ({ id, status, progress }) => {
      if (isActive(status)) {
        waiting.delete(id);
        waiting.set(id, progress);
        return null;
      }
      if (!waiting.has(id)) return null;
      const end = status in COUNTED_STATUSES ? COUNTED_STATUSES[status as keyof typeof COUNTED_STATUSES] : null;
      if (end) outcome = { ...outcome, [end]: outcome[end] + 1 };
      return drop(id);
    },
    remove: drop,
    pendingIds: () => [...waiting.keys()],
    label: () => {
      const [progress] = waiting.values();
      if (waiting.size === 0) return null;
      if (waiting.size > 1) return `${waiting.size} under way`;
      return typeof progress === 'number' ? `${Math.floor(progress * 100)}%` : 'Under way';
    },
  };
}

/** "Done", "2 done, 1 failed". */
export function formatCompletionCounts({ done, failed, review }: CompletionCounts): string {
  const parts = [
    { count: done, one: 'Done', many: `${done} done` },
    { count: failed, one: 'Failed', many: `${failed} failed` },
    { count: review, one: 'In review', many: `${review} in review` },
  ].filter(({ count }) => count > 0);
  const [only] = parts;
  if (parts.length === 1 && only) return only.count === 1 ? only.one : only.many;
  return parts.map(({ many }) => many).join(', ');
}
