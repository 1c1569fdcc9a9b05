import { onSessionChange } from './session/session.ts';

/**
 * A small map that this tab keeps over reloads and until it is closed, so that typed text does not stay on a shared
 * device. Signing out clears it. Where the browser forbids storage it lives in memory.
 */
export interface TabStorage<T> {
  get: (name: string) => T | undefined;
  values: () => T[];
  set: (name: string, value: T) => void;
  /** Changes an existing entry and keeps its position. */
  replace: (name: string, value: T) => void;
  delete: (name: string) => void;
}

const WRITE_AFTER_MS = 300;

/** @param limit maximum number of entries; the newest stay */
export function createTabStorage<T>(storageName: string, limit: number): TabStorage<T> {
  const entries = new Map<string, T>(readEntries(storageName));
  let timer: ReturnType<typeof setTimeout> | undefined;

  const write = () => {
    clearTimeout(timer);
    timer = undefined;
    try {
      sessionStorage.setItem(storageName, JSON.stringify([...entries]));
    } catch {
      // Storage is forbidden or full: the entries live in memory.
    }
  };
  const changed = () => {
    timer ??= setTimeout(write, WRITE_AFTER_MS);
  };
  if (typeof window !== 'undefined') window.addEventListener('pagehide', () => timer !== undefined && write());

  const clear = () => {
    entries.clear();
    write();
  };
  onSessionChange((state) => state === 'signed_out' && clear());

  return {
    get: (name) => entries.get(name),
    values: () => [...entries.values()],
    replace: (name, value) => {
      if (!entries.has(name)) return;
      entries.set(name, value);
      changed();
    },
    set: (name, value) => {
      entries.delete(name);
      entries.set(name, value);
      const [oldest] = entries.keys();
      if (entries.size > limit && oldest !== undefined) entries.delete(oldest);
      changed();
    },
    delete: (name) => {
      if (entries.delete(name)) changed();
    },
  };
}

function readEntries<T>(storageName: string): [string, T][] {
  try {
    const stored: unknown = JSON.parse(sessionStorage.getItem(storageName) ?? '[]');
    return Array.isArray(stored) ? (stored as [string, T][]) : [];
  } catch {
    return [];
  }
}
