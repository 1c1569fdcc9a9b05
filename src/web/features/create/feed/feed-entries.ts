import type { Generation } from '#contract/resources/generation.ts';
import type { Run } from '#web/features/create/runs/runs.ts';

/** A generation, a run of this tab that is not in the list yet, or a group of them. */
export interface FeedEntry {
  id: string;
  items: readonly FeedItem[];
  created_at_ms: number;
}

export interface FeedItem {
  /** null: started elsewhere. */
  run: Run | null;
  /** null: the service has not accepted the run, or the list does not have it yet. */
  generation: Generation | null;
}

/** Generations whose files are all deleted are hidden. */
const isShown = ({ output: { assets } }: Generation) =>
  assets.length === 0 || assets.some(({ removed_at }) => !removed_at);

/** Services with batches say which one a generation belongs to. */
const batchOf = (generation: (Generation & { batch_id?: string | null | undefined }) | null): string | null =>
  generation?.batch_id ?? null;

/** Larger groups are lists of orders, whose results are shown one by one. */
const MAX_GROUP = 8;

/**
 * Finds what belongs together: the same work, started side by side or in a batch. What is asked for differently is never
 * one entry, since only one title stands below it.
 */
function findGroups(items: readonly FeedItem[]): (item: FeedItem) => string | undefined {
  const keyOf = ({ run, generation }: FeedItem): string | undefined => {
    const group = run?.group ?? batchOf(generation);
    // A list has the beginning of a long prompt alone.
    const order = generation?.input_truncated ? run?.order.body : (generation ?? run?.order.body);
    if (group == null || order === undefined) return undefined;
    return JSON.stringify([group, order.task, order.input['prompt'] ?? order.input]);
  };
  const sizes = new Map<string | undefined, number>();
  for (const item of items) sizes.set(keyOf(item), (sizes.get(keyOf(item)) ?? 0) + 1);
  return (item) => {
    const key = keyOf(item);
    const isSmall = (sizes.get(key) ?? 0) <= MAX_GROUP;
    return item.run?.group !== undefined || isSmall ? key : undefined;
  };
}

/**
 * Joins the runs of this tab with the list, newest first. Runs that are not in the list yet come first.
 * @param generations newest first
 * @param runs oldest first
 */
export function buildFeed(generations: readonly Generation[], runs: readonly Run[]): FeedEntry[] {
  const runByGeneration = new Map(
    runs.flatMap((run) => (run.generation_id ? [[run.generation_id, run] as const] : [])),
  );
  const newestId = generations[0]?.id ?? '';
  // Ids sort by time: a run with a lower one is further down in the list, or deleted.
  const unlisted = runs.filter(({ generation_id }) => generation_id === null || generation_id > newestId);
  const items: FeedItem[] = [
    ...unlisted.toReversed().map((run) => ({ run, generation: null })),
    ...generations
      .filter(isShown)
      .map((generation) => ({ run: runByGeneration.get(generation.id) ?? null, generation })),
  ];
  const groupOf = findGroups(items);
  const entries = new Map<string, FeedItem[]>();
  for (const item of items) {
    const id = groupOf(item) ?? item.generation?.id ?? item.run?.id ?? '';
    const known = entries.get(id);
    // A group keeps the order in which it was started.
    if (known) known.unshift(item);
    else entries.set(id, [item]);
  }
  return [...entries].map(([id, grouped]) => ({ id, items: grouped, created_at_ms: createdAtMs(grouped) }));
}

const createdAtMs = (items: readonly FeedItem[]): number =>
  Math.max(
    ...items.map(({ run, generation }) => (generation ? Date.parse(generation.created_at) : (run?.startedAtMs ?? 0))),
  );

/**
 * The runs that show an entry; those that were started elsewhere are made up from their generations. Generations of one
 * batch with the same order are variations.
 */
export function toRuns({ id, items }: FeedEntry): Run[] {
  const [first] = items;
  const batchId = batchOf(first?.generation ?? null);
  const areVariations =
    batchId !== null && items.every((item) => batchOf(item.generation) === batchId && isSameOrder(item, first));
  const group: Partial<Run> = {
    ...(items.length > 1 && { group: id }),
    ...(items.length > 1 && areVariations && { together: true, batch_id: batchId }),
  };
  return items.map((item) => toRun(item, group));
}

function isSameOrder({ generation: one }: FeedItem, other: FeedItem | undefined): boolean {
  const two = other?.generation;
  if (!one || !two) return false;
  return one.task === two.task && one.model === two.model && one.input['prompt'] === two.input['prompt'];
}

function toRun({ run, generation }: FeedItem, group: Partial<Run>): Run {
  if (run) return run;
  if (!generation) throw new Error('A feed item has neither a run nor a generation.');
  const { id, task, model, input, created_at } = generation;
  return {
    id,
    order: { body: { task, model, input }, idempotency_key: id },
    startedAtMs: Date.parse(created_at),
    generation_id: id,
    problem: null,
    ...group,
  };
}
