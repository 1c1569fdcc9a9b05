import { onSessionChange } from './session/session.ts';
import { createStoredMap, type StoredMap } from './stored-map.ts';

/**
 * A map that this tab keeps until it is closed or the person signs out: what the service can tell again. What a person
 * typed goes into `createDraftStorage`.
 * @param limit maximum number of entries; the newest stay
 */
export function createTabStorage<T>(storageName: string, limit: number): StoredMap<T> {
  const { map, reset } = createStoredMap<T>({ read: () => readItem(storageName), write }, limit);
  function write(json: string | null) {
    try {
      if (json === null) sessionStorage.removeItem(storageName);
      else sessionStorage.setItem(storageName, json);
    } catch {
      // Storage is forbidden or full: the entries live in memory.
    }
  }
  onSessionChange((state) => {
    if (state !== 'signed_out') return;
    write(null);
    reset();
  });
  return map;
}

function readItem(name: string): string | null {
  try {
    return sessionStorage.getItem(name);
  } catch {
    return null;
  }
}
