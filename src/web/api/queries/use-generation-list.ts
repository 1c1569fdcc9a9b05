import { useMemo } from 'react';
import { isActive } from '#contract/statuses.ts';
import type { Generation } from '#contract/resources/generation.ts';
import { awaitsLateResult, type GenerationFilters, loadGeneration, loadGenerationPage } from './generations.ts';
import { queryKeys } from './query-keys.ts';
import { useLiveList } from './use-live-list.ts';
import { usePollActiveRows } from './use-poll-active-rows.ts';

const POLL_MS = 2000;

const isActiveGeneration = ({ status }: Generation) => isActive(status);

/**
 * Generations that match, with active ones polled.
 * @param filters pass the same object while the filters are the same
 * @param is_ready false: the filters are not known yet
 */
export function useGenerationList(filters: GenerationFilters, is_ready?: boolean) {
  const listKey = useMemo(() => queryKeys.generations.list(filters), [filters]);
  const headKey = useMemo(() => queryKeys.generations.head(filters), [filters]);
  const list = useLiveList<Generation>({
    listKey,
    headKey,
    is_ready,
    loadPage: (cursor, signal) => loadGenerationPage(filters, cursor, signal),
    poll_ms: (rows) => (rows.some((row) => isActiveGeneration(row) || awaitsLateResult(row)) ? POLL_MS : false),
  });
  usePollActiveRows<Generation>({
    listKey,
    rows: list.rows,
    newest: list.newest,
    isRowActive: isActiveGeneration,
    keyOf: queryKeys.generations.detail,
    load: loadGeneration,
  });
  return list;
}
