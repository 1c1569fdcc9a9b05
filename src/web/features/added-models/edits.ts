import { useState } from 'react';
import { createDraftStorage } from '#web/api/drafts/draft-storage.ts';

/** What was typed on the page of a model and not saved yet. */
export const edits = createDraftStorage<unknown>('added-model-edits', 20);

/** State that stays over reloads, until it is saved or discarded. */
export function useEdit<T>(key: string, initial: () => T) {
  const [value, setValue] = useState<T>(() => (edits.get(key) as T | undefined) ?? initial());
  const change = (next: T) => {
    setValue(next);
    edits.set(key, next);
  };
  return [value, change] as const;
}
