import { createAtom, useSelector } from '@tanstack/react-store';
import { createTabStorage } from '#web/api/tab-storage.ts';
import type { ModelId, TaskId } from '#contract/ids.ts';

const stored = createTabStorage<number>('emulsion.variations', 1);
const countStore = createAtom({ count: stored.get('count') ?? 1 });

/** Chosen for all forms of this tab, until it is closed. */
export function chooseVariationCount(count: number): void {
  stored.set('count', count);
  countStore.set({ count });
}

/** Lip syncs and tools give the same result each time. */
export const hasVariations = (task: TaskId, model: ModelId | null): boolean =>
  model !== null && task !== 'video.lipsync';

export const variationCount = (task: TaskId, model: ModelId | null): number =>
  hasVariations(task, model) ? countStore.get().count : 1;

export const useVariationCount = (task: TaskId, model: ModelId | null): number =>
  useSelector(countStore, ({ count }) => (hasVariations(task, model) ? count : 1));

export const loadVariations = () => import('./start-variations.ts');
