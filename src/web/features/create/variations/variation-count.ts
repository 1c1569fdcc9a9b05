import { createAtom, useSelector } from '@tanstack/react-store';
import { createDraftStorage } from '#web/api/drafts/draft-storage.ts';
import { type AnyModelId, TASK_IDS, type TaskId } from '#contract/ids.ts';

const stored = createDraftStorage<number>('variation-counts', TASK_IDS.length);
const revision = createAtom(0);

/** Chosen for the forms of a task. */
export function chooseVariationCount(task: TaskId, count: number): void {
  stored.set(task, count);
  revision.set((changes) => changes + 1);
}

/** Lip syncs and tools give the same result each time. */
export const hasVariations = (task: TaskId, model: AnyModelId | null): boolean =>
  model !== null && task !== 'video.lipsync';

export const variationCount = (task: TaskId, model: AnyModelId | null): number =>
  hasVariations(task, model) ? (stored.get(task) ?? 1) : 1;

export const useVariationCount = (task: TaskId, model: AnyModelId | null): number =>
  useSelector(revision, () => variationCount(task, model));

export const loadVariations = () => import('./start-variations.ts');
