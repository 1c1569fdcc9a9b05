import type { Generation } from '#contract/resources/generation.ts';
import { groupOf, type PendingOrder } from '#web/features/create/orders/pending-orders.ts';

/** One result of the feed: what is ordered stands above the generations of the list. */
export type ResultItem = PendingOrder | Generation;

export interface FeedEntry {
  id: string;
  /** Several for what was started together. */
  items: readonly ResultItem[];
  createdAtMs: number;
}

export const isPending = (item: ResultItem): item is PendingOrder => 'idempotencyKey' in item;

export const generationsOf = (items: readonly ResultItem[]): Generation[] =>
  items.flatMap((item) => (isPending(item) ? [] : item));

/** The task, model and input of a result. */
export const orderOf = (item: ResultItem) => (isPending(item) ? { model: null, ...item.body } : item);

/** Generations whose files are all deleted are hidden. */
const isShown = ({ output: { assets } }: Generation) =>
  assets.length === 0 || assets.some(({ removed_at }) => !removed_at);

/** Larger groups are lists of orders, whose results are shown one by one. */
const MAX_GROUP = 8;

/**
 * Finds what belongs together: started side by side in this tab, or the same work in one batch. What is asked for
 * differently is never one entry, since only one title stands below it.
 */
function findGroups(items: readonly ResultItem[]): (item: ResultItem) => string | undefined {
  const keyOf = (item: ResultItem): string | undefined => {
    // A list has the beginning of a long prompt alone.
    if (isPending(item) || item.batch_id == null || item.input_truncated) return undefined;
    return JSON.stringify([item.batch_id, item.task, item.input['prompt'] ?? item.input]);
  };
  const sizes = new Map<string | undefined, number>();
  for (const item of items) sizes.set(keyOf(item), (sizes.get(keyOf(item)) ?? 0) + 1);
  return (item) => {
    const group = isPending(item) ? item.group : groupOf(item.id);
    if (group !== undefined) return group;
    const key = keyOf(item);
    return (sizes.get(key) ?? 0) <= MAX_GROUP ? key : undefined;
  };
}

/**
 * Joins the orders of this tab with the list, newest first.
 * @param generations newest first
 * @param orders oldest first
 */
export function buildFeed(generations: readonly Generation[], orders: readonly PendingOrder[]): FeedEntry[] {
  const items: ResultItem[] = [...orders.toReversed(), ...generations.filter(isShown)];
  const groupIdOf = findGroups(items);
  const entries = new Map<string, ResultItem[]>();
  for (const item of items) {
    const id = groupIdOf(item) ?? item.id;
    const known = entries.get(id);
    // A group keeps the order in which it was started.
    if (known) known.unshift(item);
    else entries.set(id, [item]);
  }
  return [...entries].map(([id, grouped]) => ({
    id,
    items: grouped,
    createdAtMs: Math.max(...grouped.map(startedAtMs)),
  }));
}

export const startedAtMs = (item: ResultItem): number =>
  isPending(item) ? item.startedAtMs : Date.parse(item.created_at);

/** Whether results are variations of one order, which started together or not at all. */
export function areVariations(items: readonly ResultItem[]): boolean {
  const keys = items.map((item) => {
    const { task, model, input } = orderOf(item);
    const group = isPending(item) ? item.group : (groupOf(item.id) ?? item.batch_id);
    return group == null ? null : JSON.stringify([group, task, model, input['prompt']]);
  });
  return keys[0] != null && keys.every((key) => key === keys[0]);
}
