/** A small map that survives reloads. Where the browser forbids storage it lives in memory. */
export interface StoredMap<T> {
  get: (name: string) => T | undefined;
  values: () => T[];
  set: (name: string, value: T) => void;
  /** Changes an existing entry and keeps its position. */
  replace: (name: string, value: T) => void;
  delete: (name: string) => void;
}

/** Where a map is stored, as the JSON of its entries; null where it has none. */
export interface MapStorage {
  read: () => string | null;
  write: (json: string | null) => void;
}

const WRITE_AFTER_MS = 300;

/** @param limit maximum number of entries; the newest stay */
export function createStoredMap<T>(storage: MapStorage, limit: number) {
  let loaded: Map<string, T> | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const entries = () => (loaded ??= parseEntries(storage.read()));

  const flush = () => {
    if (timer === undefined) return;
    clearTimeout(timer);
    timer = undefined;
    storage.write(entries().size === 0 ? null : JSON.stringify([...entries()]));
  };
  const changed = () => {
    timer ??= setTimeout(flush, WRITE_AFTER_MS);
  };
  if (typeof window !== 'undefined') {
    window.addEventListener('pagehide', flush);
    // A phone may end a hidden page without another event.
    document.addEventListener('visibilitychange', flush);
  }

  const map: StoredMap<T> = {
    get: (name) => entries().get(name),
    values: () => [...entries().values()],
    replace: (name, value) => {
      if (!entries().has(name)) return;
      entries().set(name, value);
      changed();
    },
    set: (name, value) => {
      entries().delete(name);
      entries().set(name, value);
      const [oldest] = entries().keys();
      if (entries().size > limit && oldest !== undefined) entries().delete(oldest);
      changed();
    },
    delete: (name) => {
      if (entries().delete(name)) changed();
    },
  };
  return {
    map,
    flush,
    isEmpty: () => entries().size === 0,
    /** Forgets what is not written, and reads the storage anew. */
    reset: () => {
      clearTimeout(timer);
      timer = undefined;
      loaded = undefined;
    },
  };
}

function parseEntries<T>(json: string | null): Map<string, T> {
  try {
    const stored: unknown = JSON.parse(json ?? '[]');
    return new Map(Array.isArray(stored) ? (stored as [string, T][]) : []);
  } catch {
    return new Map();
  }
}
