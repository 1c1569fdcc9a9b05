import { createAtom, useSelector } from '@tanstack/react-store';

/** Texts that this browser keeps under a name. Where it forbids storage they last until the tab is closed. */
export function createStoredList(storageName: string) {
  const read = (): readonly string[] => {
    try {
      const stored: unknown = JSON.parse(localStorage.getItem(storageName) ?? '[]');
      return Array.isArray(stored) ? stored.filter((item) => typeof item === 'string') : [];
    } catch {
      return list.get();
    }
  };
  const list = createAtom<readonly string[]>([]);
  list.set(read());
  return {
    useItems: () => useSelector(list),
    toggle: (item: string): void => {
      // Another tab may have changed them.
      const stored = read();
      const next = stored.includes(item) ? stored.filter((each) => each !== item) : [...stored, item];
      list.set(next);
      try {
        localStorage.setItem(storageName, JSON.stringify(next));
      } catch {
        // The list keeps them.
      }
    },
  };
}
