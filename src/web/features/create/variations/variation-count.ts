import { createAtom, useSelector } from '@tanstack/react-store';
import { createDraftStorage } from '#web/api/drafts/draft-storage.ts';
import { type AnyModelId, TASK_IDS, type TaskId } from '#contract/ids.ts';
import type { GenerationRequest } from '#web/api/queries/generations.ts';

type OrderBody = GenerationRequest['body'];

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

const MAX_SEED = 2 ** 31 - 1;

/** Repeats an order. A seed that was typed is raised by 1 each time, so that the results differ. */
export function createVariations(body: OrderBody, count: number): OrderBody[] {
  const { seed } = body.input;
  return Array.from({ length: count }, (_, index) =>
    typeof seed === 'number' ? { ...body, input: { ...body.input, seed: (seed + index) % (MAX_SEED + 1) } } : body,
  );
}
