import { type QueryKey, useQueries, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useRef } from 'react';
import type { List } from '#contract/primitives.ts';
import { type LiveList, replaceRow, type ListRow } from './live-list.ts';
import { queryKeys } from './query-keys.ts';

const MAX_POLLED = 8;
const POLL_MS = 5000;

export interface PollActiveRowsOptions<R extends ListRow> {
  listKey: QueryKey;
  rows: readonly R[];
  newest: List<R> | undefined;
  isRowActive: (row: R) => boolean;
  keyOf: (id: string) => QueryKey;
  load: (id: string, signal: AbortSignal) => Promise<R>;
}

/**
 * Polls active rows that are older than a list's newest page, one by one, and invalidates the funds when a row starts
 * or completes.
 */
export function usePollActiveRows<R extends ListRow>({
  listKey,
  rows,
  newest,
  isRowActive,
  keyOf,
  load,
}: PollActiveRowsOptions<R>): void {
  const client = useQueryClient();
  const activeIds = useMemo(() => rows.filter(isRowActive).map(({ id }) => id), [rows, isRowActive]);
  const olderRows = useQueries({
    queries: activeIds
      .filter((id) => newest && !newest.data.some((row) => row.id === id))
      .slice(-MAX_POLLED)
      .map((id) => ({
        queryKey: keyOf(id),
        queryFn: ({ signal }: { signal: AbortSignal }) => load(id, signal),
        refetchInterval: POLL_MS,
      })),
    combine: (results) => results.flatMap(({ data }) => data ?? []),
  });
  useEffect(() => {
    if (olderRows.length === 0) return;
    client.setQueryData<LiveList<R>>(listKey, (known) => known && olderRows.reduce<LiveList<R>>(replaceRow, known));
  }, [client, listKey, olderRows]);

  const joinedIds = activeIds.join();
  const known = useRef(joinedIds);
  useEffect(() => {
    if (known.current === joinedIds) return;
    known.current = joinedIds;
    void client.invalidateQueries({ queryKey: queryKeys.billing.all });
  }, [client, joinedIds]);
}
