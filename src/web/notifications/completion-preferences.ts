import { useSyncExternalStore } from 'react';

/** How this device notifies of completions while the page is hidden. */
export interface CompletionPreferences {
  notify: boolean;
  sound: boolean;
}

const STORAGE_KEY = 'emulsion.when-done';
const DEFAULT_PREFERENCES: CompletionPreferences = { notify: false, sound: false };
const listeners = new Set<() => void>();

let preferences = readStoredPreferences();

function readStoredPreferences(): CompletionPreferences {
  try {
    const kept = JSON.parse(localStorage.getItem(STORAGE_KEY) ?? 'null') as Partial<CompletionPreferences> | null;
    return { notify: kept?.notify === true, sound: kept?.sound === true };
  } catch {
    return DEFAULT_PREFERENCES;
  }
}

/** Reads the stored preferences, which another tab may have changed. */
export const readCompletionPreferences = (): CompletionPreferences => (preferences = readStoredPreferences());

export function setCompletionPreferences(change: Partial<CompletionPreferences>): void {
  preferences = { ...preferences, ...change };
  try {
    localStorage.setItem(STORAGE_KEY, JSON.stringify(preferences));
  } catch {
    // Without storage the choice lasts until the tab is closed.
  }
  for (const listener of listeners) listener();
}

export const useCompletionPreferences = (): CompletionPreferences =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => preferences,
  );
