import { type AnyModelId, type TaskId, TASK_IDS } from '#contract/ids.ts';
import { BATCH_STATUSES, type BatchStatus } from '#contract/statuses.ts';
import { parseModel } from '#web/api/known-models.ts';
import { parseSearch, personRow, type SearchOf, statusRow } from '#web/collections/filter-rows.ts';
import { omitUndefined, parseId, parseOption } from '#web/ui/search-params.ts';

/** The labels of batches, which first scripts can hold: without icons. */
export const BATCH_STATUS_NAMES = {
  running: 'Running',
  paused: 'Paused',
  completed: 'Completed',
  canceled: 'Canceled',
} satisfies Record<BatchStatus, string>;

export const BATCH_FILTERS = {
  state: statusRow(BATCH_STATUSES, BATCH_STATUS_NAMES),
  person: personRow(),
};

export type BatchesSearch = SearchOf<typeof BATCH_FILTERS>;

/** Omits invalid ones, like the functions below. */
export const parseBatchesSearch = (raw: Record<string, unknown>): BatchesSearch => parseSearch(BATCH_FILTERS, raw);

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
