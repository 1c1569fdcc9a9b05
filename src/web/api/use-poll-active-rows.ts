import { type QueryKey, useQueries, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useRef } from 'react';
import type { List } from '#contract/primitives.ts';
import { useLatest } from '#web/ui/hooks/use-latest.ts';
import { invalidate, type StaleTarget } from './api-query.ts';
import { type ListRow, type LiveList, replaceRow } from './live-list.ts';

const MAX_POLLED = 8;

export interface PollActiveRowsOptions<R extends ListRow> {
  listKey: QueryKey;
  list: { rows: readonly R[]; newest: List<R> | undefined };
  isRowActive: (row: R) => boolean;
  queryOf: (id: string) => { queryKey: QueryKey; load: (signal: AbortSignal) => Promise<R> };
  pollMs: number | ((row: R | undefined) => number | false);
}

/** Polls active rows that are older than a list's newest page, one by one. */
export function usePollActiveRows<R extends ListRow>(options: PollActiveRowsOptions<R>): void {
  const { listKey, isRowActive, queryOf, pollMs } = options;
  const { rows, newest } = options.list;
  const client = useQueryClient();
  const olderIds = useMemo(() => {
    const newestIds = newest && new Set(newest.data.map(({ id }) => id));
    const isOlder = (row: R) => newestIds !== undefined && isRowActive(row) && !newestIds.has(row.id);
    return rows.filter(isOlder).slice(-MAX_POLLED);
  }, [rows, newest, isRowActive]);
  const olderRows = useQueries({
    queries: olderIds.map(({ id }) => {
      const { queryKey, load } = queryOf(id);
      return {
        queryKey,
        queryFn: ({ signal }: { signal: AbortSignal }) => load(signal),
        refetchInterval: ({ state }: { state: { data: R | undefined } }) =>
          typeof pollMs === 'number' ? pollMs : pollMs(state.data),
      };
    }),
    combine: (results) => results.flatMap(({ data }) => data ?? []),
  });
  const latestKey = useLatest(listKey);
  useEffect(() => {
    if (olderRows.length === 0) return;
    client.setQueryData<LiveList<R>>(
      latestKey.current,
      (known) => known && olderRows.reduce<LiveList<R>>(replaceRow, known),
    );
  }, [client, latestKey, olderRows]);
}

/** Reads again what depends on rows when their state changes; not for the first state. */
export function useInvalidateOnChange(state: string, targets: readonly StaleTarget[]): void {
  const client = useQueryClient();
  const known = useRef(state);
  useEffect(() => {
    if (known.current === state) return;
    known.current = state;
    void invalidate(client, ...targets);
  }, [client, state, targets]);
}
