import { createAtom, useSelector } from '@tanstack/react-store';
import { createTabStorage } from '#web/api/tab-storage.ts';
import { type AnyModelId, TASK_IDS, type TaskId } from '#contract/ids.ts';

const stored = createTabStorage<number>('emulsion.variation-counts', TASK_IDS.length);
const countStore = createAtom<Partial<Record<TaskId, number>>>(
  Object.fromEntries(TASK_IDS.map((task) => [task, stored.get(task)])),
);

/** Chosen for the forms of a task, until the tab is closed. */
export function chooseVariationCount(task: TaskId, count: number): void {
  stored.set(task, count);
  countStore.set((counts) => ({ ...counts, [task]: count }));
}

/** Lip syncs and tools give the same result each time. */
export const hasVariations = (task: TaskId, model: AnyModelId | null): boolean =>
  model !== null && task !== 'video.lipsync';

export const variationCount = (task: TaskId, model: AnyModelId | null): number =>
  hasVariations(task, model) ? (countStore.get()[task] ?? 1) : 1;

export const useVariationCount = (task: TaskId, model: AnyModelId | null): number =>
  useSelector(countStore, (counts) => (hasVariations(task, model) ? (counts[task] ?? 1) : 1));

export const loadVariations = () => import('./start-variations.ts');
