export type KeyedQueue = <T>(name: string, work: () => Promise<T>) => Promise<T>;

export function createKeyedQueue(): KeyedQueue {
  const last = new Map<string, Promise<unknown>>();
  return async (name, work) => {
    const own = (last.get(name) ?? Promise.resolve()).then(work);
    const over = own.catch(() => undefined);
    last.set(name, over);
    try {
      return await own;
    } finally {
      if (last.get(name) === over) last.delete(name);
    }
  };
}
