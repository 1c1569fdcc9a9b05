import { createAtom, useSelector } from '@tanstack/react-store';
import { isModelId } from '#contract/catalog.ts';
import type { ModelId } from '#contract/ids.ts';

const STORAGE_KEY = 'emulsion.favorite-models';

const favorites = createAtom(readStoredFavorites());

function readStoredFavorites(): readonly ModelId[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(STORAGE_KEY) ?? '[]');
    return Array.isArray(stored) ? stored.filter((id) => typeof id === 'string').filter(isModelId) : [];
  } catch {
    return [];
  }
}

/** Models that were starred in this browser. */
export const useFavoriteModels = (): readonly ModelId[] => useSelector(favorites);

export function toggleFavoriteModel(model: ModelId): void {
  // Another tab may have changed them.
  const stored = readStoredFavorites();
  const next = stored.includes(model) ? stored.filter((id) => id !== model) : [...stored, model];
  favorites.set(next);
  try {
    localStorage.setItem(STORAGE_KEY, JSON.stringify(next));
  } catch {
    // Without storage the stars last until the tab is closed.
  }
}
