import { type QueryKey, useQueries, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useRef } from 'react';
import type { List } from '#contract/primitives.ts';
import { again, againDelay } from '#web/queries/again.ts';
import { type LiveList, replaceRow, type Row } from '#web/queries/live-list.ts';
import { queryKeys } from '#web/queries/query-keys.ts';

/** So many are read at once, so often. */
const MOST = 8;
const POLL_MS = 5000;

export interface Stragglers<R extends Row> {
  listKey: QueryKey;
  rows: readonly R[];
  newest: List<R> | undefined;
  isMoving: (row: R) => boolean;
  keyOf: (id: string) => QueryKey;
  read: (id: string, signal: AbortSignal) => Promise<R>;
}

/** Follows rows of a live list that are under way and older than its newest page, one by one; where any begins or ends, funds are read anew. */
export function useStragglers<R extends Row>({ listKey, rows, newest, isMoving, keyOf, read }: Stragglers<R>): void {
  const client = useQueryClient();
  const moving = useMemo(() => rows.filter(isMoving).map(({ id }) => id), [rows, isMoving]);
  const stragglers = useQueries({
    queries: moving
      .filter((id) => newest && !newest.data.some((row) => row.id === id))
      .slice(-MOST)
      .map((id) => ({
        queryKey: keyOf(id),
        queryFn: ({ signal }: { signal: AbortSignal }) => read(id, signal),
        refetchInterval: POLL_MS,
        retry: again,
        retryDelay: againDelay,
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
