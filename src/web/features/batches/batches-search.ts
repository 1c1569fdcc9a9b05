import {
  BATCH_ORDER_STATUSES,
  BATCH_STATUSES,
  type BatchOrderStatus,
  type BatchStatus,
} from '#contract/batch-status.ts';
import { MODEL_IDS, type ModelId, TASK_IDS, type TaskId } from '#contract/ids.ts';
import { omitUndefined, parseId, parseOption } from '#web/ui/search-params.ts';

export interface BatchesSearch {
  state?: BatchStatus | undefined;
  /** See `usePersonFilter`. */
  person?: string | undefined;
}

/** Omits invalid ones, like the functions below. */
export const parseBatchesSearch = (raw: Record<string, unknown>): BatchesSearch =>
  omitUndefined({ state: parseOption(BATCH_STATUSES, raw['state']), person: parseId(raw['person']) });

/** The form of Create that a new batch begins with. */
export interface NewBatchSearch {
  task?: TaskId | undefined;
  model?: ModelId | undefined;
}

export const parseNewBatchSearch = (raw: Record<string, unknown>): NewBatchSearch =>
  omitUndefined({ task: parseOption(TASK_IDS, raw['task']), model: parseOption(MODEL_IDS, raw['model']) });

export interface BatchSearch {
  show?: 'orders' | undefined;
  orders?: BatchOrderStatus | undefined;
}

export const parseBatchSearch = (raw: Record<string, unknown>): BatchSearch =>
  omitUndefined({
    show: parseOption(['orders'], raw['show']),
    orders: parseOption(BATCH_ORDER_STATUSES, raw['orders']),
  });
