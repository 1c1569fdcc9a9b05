import { useMemo } from 'react';
import type { Batch } from '#contract/resources/batch.ts';
import { batchKeys } from './batch-keys.ts';
import { type BatchFilters, isBatchActive, loadBatch, loadBatchPage } from './batches.ts';
import { useLiveList } from './use-live-list.ts';
import { usePollActiveRows } from './use-poll-active-rows.ts';

const POLL_MS = 3000;

/**
 * Batches that match, with active ones polled.
 * @param filters pass the same object while the filters are the same
 * @param is_ready false: the filters are not known yet
 */
export function useBatchList(filters: BatchFilters, is_ready?: boolean) {
  const listKey = useMemo(() => batchKeys.list(filters), [filters]);
  const headKey = useMemo(() => batchKeys.head(filters), [filters]);
  const list = useLiveList<Batch>({
    listKey,
    headKey,
    is_ready,
    loadPage: (cursor, signal) => loadBatchPage(filters, cursor, signal),
    poll_ms: (rows) => (rows.some(isBatchActive) ? POLL_MS : false),
  });
  usePollActiveRows<Batch>({
    listKey,
    rows: list.rows,
    newest: list.newest,
    isRowActive: isBatchActive,
    keyOf: batchKeys.detail,
    load: loadBatch,
  });
  return list;
}
