/** What waits, by key: the keys take turns, so that one which has much waiting delays another by one item at most. */
export interface FairQueue<Item> {
  add(key: string, item: Item): void;
  /** The next item of the key whose turn it is, of those that are not `isBusy`. */
  dequeue(isBusy: (key: string) => boolean): { key: string; item: Item } | undefined;
  /** What a key has waiting. */
  count(key: string): number;
  readonly is_empty: boolean;
}

export function createFairQueue<Item>(): FairQueue<Item> {
  /** In the order of their turns; a key that has nothing waiting is not in it. */
  const waiting = new Map<string, Item[]>();
  return {
    add(key, item) {
      const items = waiting.get(key);
      if (items) items.push(item);
      else waiting.set(key, [item]);
    },
    dequeue(isBusy) {
      for (const [key, [item, ...others]] of waiting) {
        if (item === undefined || isBusy(key)) continue;
        waiting.delete(key);
        if (others.length > 0) waiting.set(key, others);
        return { key, item };
      }
      return undefined;
    },
    count: (key) => waiting.get(key)?.length ?? 0,
    get is_empty() {
      return waiting.size === 0;
    },
  };
}
