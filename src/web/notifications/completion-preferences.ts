import { createAtom, useSelector } from '@tanstack/react-store';

/** What this device does when everything is done while nobody looks. */
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

/** As it is now, though it was changed in another tab. */
export const readCompletionPreferences = (): CompletionPreferences => {
  preferences.set(readStoredPreferences());
  return preferences.get();
};

/** Remembered on this device. */
export function setCompletionPreferences(change: Partial<CompletionPreferences>): void {
  preferences.set((known) => ({ ...known, ...change }));
  try {
    localStorage.setItem(STORAGE_KEY, JSON.stringify(preferences.get()));
  } catch {
    // Storage is forbidden here: the choice holds until the tab closes.
  }
}

export const useCompletionPreferences = (): CompletionPreferences => useSelector(preferences);
