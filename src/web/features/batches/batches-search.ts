import { type AnyModelId, type TaskId, TASK_IDS } from '#contract/ids.ts';
import { parseModel } from '#web/api/known-models.ts';
import { omitUndefined, parseId, parseOption } from '#web/ui/search-params.ts';

// Statuses are validated by the pages: their lists would load with the first view.

export interface BatchesSearch {
  /** A status of batches. */
  state?: string | undefined;
  /** See `usePersonFilter`. */
  person?: string | undefined;
}

/** Omits invalid ones, like the functions below. */
export const parseBatchesSearch = (raw: Record<string, unknown>): BatchesSearch =>
  omitUndefined({ state: parseId(raw['state']), person: parseId(raw['person']) });

/** The form of Create that a new batch begins with. */
export interface NewBatchSearch {
  task?: TaskId | undefined;
  model?: AnyModelId | undefined;
}

export const parseNewBatchSearch = (raw: Record<string, unknown>): NewBatchSearch =>
  omitUndefined({ task: parseOption(TASK_IDS, raw['task']), model: parseModel(raw['model']) });

export interface BatchSearch {
  /** Which orders the table shows: a status, or all. Without it, the results are shown as pictures. */
  orders?: string | undefined;
}

export const parseBatchSearch = (raw: Record<string, unknown>): BatchSearch =>
  omitUndefined({ orders: parseId(raw['orders']) });
