import { useSyncExternalStore } from 'react';

/** What this device does when everything is done while nobody looks. */
export interface WhenDone {
  notify: boolean;
  sound: boolean;
}

const NAME = 'emulsion.when-done';
const NOTHING: WhenDone = { notify: false, sound: false };
const listeners = new Set<() => void>();

let chosen = read();

function read(): WhenDone {
  try {
    const kept = JSON.parse(localStorage.getItem(NAME) ?? 'null') as Partial<WhenDone> | null;
    return { notify: kept?.notify === true, sound: kept?.sound === true };
  } catch {
    return NOTHING;
  }
}

/** As it is now, though it was changed in another tab. */
export const readWhenDone = (): WhenDone => (chosen = read());

/** Remembered on this device. */
export function setWhenDone(change: Partial<WhenDone>): void {
  chosen = { ...chosen, ...change };
  try {
    localStorage.setItem(NAME, JSON.stringify(chosen));
  } catch {
    // Storage is forbidden here: the choice holds until the tab closes.
  }
  for (const listener of listeners) listener();
}

export const useWhenDone = (): WhenDone =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => chosen,
  );
