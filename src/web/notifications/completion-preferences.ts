import { createAtom, useSelector } from '@tanstack/react-store';

/** How this device notifies of completions while the page is hidden. */
export interface CompletionPreferences {
  notify: boolean;
  sound: boolean;
}

const STORAGE_KEY = 'emulsion.when-done';
const DEFAULT_PREFERENCES: CompletionPreferences = { notify: false, sound: false };

const preferences = createAtom(readStoredPreferences());

function readStoredPreferences(): CompletionPreferences {
  try {
    const kept = JSON.parse(localStorage.getItem(STORAGE_KEY) ?? 'null') as Partial<CompletionPreferences> | null;
    return { notify: kept?.notify === true, sound: kept?.sound === true };
  } catch {
    return DEFAULT_PREFERENCES;
  }
}

/** Reads the stored preferences, which another tab may have changed. */
export const readCompletionPreferences = (): CompletionPreferences => {
  preferences.set(readStoredPreferences());
  return preferences.get();
};

export function setCompletionPreferences(change: Partial<CompletionPreferences>): void {
  preferences.set((known) => ({ ...known, ...change }));
  try {
    localStorage.setItem(STORAGE_KEY, JSON.stringify(preferences.get()));
  } catch {
    // Without storage the choice lasts until the tab is closed.
  }
}

export const useCompletionPreferences = (): CompletionPreferences => useSelector(preferences);
