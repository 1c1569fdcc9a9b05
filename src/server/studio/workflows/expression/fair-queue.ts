/** A queue in which keys take turns, so that a key with many items delays another key by one item at most. */
interface FairQueue<Item> {
  add(key: string, item: Item): void;
  /** Returns the next item of the first key in turn for which `isBusy` is false. */
  dequeue(isBusy: (key: string) => boolean): { key: string; item: Item } | undefined;
  count(key: string): number;
  readonly is_empty: boolean;
}

export function createFairQueue<Item>(): FairQueue<Item> {
  /** In the order of turns. */
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
