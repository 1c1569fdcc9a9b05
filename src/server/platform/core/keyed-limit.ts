export type KeyedLimit = <T>(name: string, work: () => Promise<T>) => Promise<T>;

/** Runs at most `max` works of the same name at a time. Others wait in order, but none longer than `wait_ms`. */
export function createKeyedLimit(max: number, wait_ms: number): KeyedLimit {
  const active = new Map<string, number>();
  const waiting = new Map<string, Set<() => void>>();

  const enter = (name: string) => active.set(name, (active.get(name) ?? 0) + 1);
  function waitFor(name: string): Promise<void> {
    const queue = waiting.get(name) ?? new Set();
    waiting.set(name, queue);
    return new Promise((resolve) => {
      const start = () => {
        clearTimeout(timer);
        queue.delete(start);
        if (queue.size === 0) waiting.delete(name);
        enter(name);
        resolve();
      };
      const timer = setTimeout(start, wait_ms);
      queue.add(start);
    });
  }
  function release(name: string): void {
    const count = (active.get(name) ?? 0) - 1;
    if (count > 0) active.set(name, count);
    else active.delete(name);
    const [next] = waiting.get(name) ?? [];
    if (count < max) next?.();
  }
  return async (name, work) => {
    if ((active.get(name) ?? 0) < max) enter(name);
    else await waitFor(name);
    try {
      return await work();
    } finally {
      release(name);
    }
  };
}
