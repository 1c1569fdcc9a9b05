import { type GenerationStatus, isActive } from '#contract/statuses.ts';
import type { Generation } from '#contract/resources/generation.ts';

/** Tracks active generations and counts how they complete, until none is active. */
export interface CompletionTracker {
  /** Updates a generation. Returns the counts if it was the last active one. */
  update: (generation: Pick<Generation, 'id' | 'status' | 'progress'>) => CompletionCounts | null;
  /** Removes a generation that no longer exists. Returns the counts if it was the last active one. */
  remove: (id: string) => CompletionCounts | null;
  /** Ids of active generations, the least recently updated first. */
  pendingIds: () => string[];
  /** Short progress text; null while no generation is active. */
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
  const active = new Map<string, number | null>(ids.map((id) => [id, null]));
  let counts = NO_COMPLETIONS;

  const settle = (): CompletionCounts | null => {
    if (active.size > 0) return null;
    const all = counts;
    counts = NO_COMPLETIONS;
    // Nobody needs to be notified of generations that they canceled.
    return all.done + all.failed + all.review > 0 ? all : null;
  };
  const remove = (id: string) => (active.delete(id) ? settle() : null);

  return {
    update: ({ id, status, progress }) => {
      if (isActive(status)) {
        active.delete(id);
        active.set(id, progress);
        return null;
      }
      if (!active.has(id)) return null;
      const count = status in COUNTED_STATUSES ? COUNTED_STATUSES[status as keyof typeof COUNTED_STATUSES] : null;
      if (count) counts = { ...counts, [count]: counts[count] + 1 };
      return remove(id);
    },
    remove,
    pendingIds: () => [...active.keys()],
    label: () => {
      const [progress] = active.values();
      if (active.size === 0) return null;
      if (active.size > 1) return `${active.size} running`;
      return typeof progress === 'number' ? `${Math.floor(progress * 100)}%` : 'Running';
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
