/** Storage of a browser for tests, with what it stores. */
export const createStorage = (stored = new Map<string, string>()): Storage =>
  new Proxy(
    {
      getItem: (name: string) => stored.get(name) ?? null,
      setItem: (name: string, value: string) => void stored.set(name, value),
      removeItem: (name: string) => void stored.delete(name),
      clear: () => stored.clear(),
      key: (at: number) => [...stored.keys()][at] ?? null,
      length: 0,
    },
    { ownKeys: () => [...stored.keys()], getOwnPropertyDescriptor: () => ({ enumerable: true, configurable: true }) },
  );
