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
  read: (id: string, signal: AbortSignal) => Promise<R>;
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
  read,
}: PollActiveRowsOptions<R>): void {
  const client = useQueryClient();
  const moving = useMemo(() => rows.filter(isRowActive).map(({ id }) => id), [rows, isRowActive]);
  const stragglers = useQueries({
    queries: moving
      .filter((id) => newest && !newest.data.some((row) => row.id === id))
      .slice(-MAX_POLLED)
      .map((id) => ({
        queryKey: keyOf(id),
        queryFn: ({ signal }: { signal: AbortSignal }) => read(id, signal),
        refetchInterval: POLL_MS,
      })),
    combine: (results) => results.flatMap(({ data }) => data ?? []),
  });
  useEffect(() => {
    if (stragglers.length === 0) return;
    client.setQueryData<LiveList<R>>(listKey, (known) => known && stragglers.reduce<LiveList<R>>(replaceRow, known));
  }, [client, listKey, stragglers]);

  const movingIds = moving.join();
  const known = useRef(movingIds);
  useEffect(() => {
    if (known.current === movingIds) return;
    known.current = movingIds;
    void client.invalidateQueries({ queryKey: queryKeys.billing.all });
  }, [client, movingIds]);
}
