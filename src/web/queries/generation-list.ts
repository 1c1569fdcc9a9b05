import { useQueries, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useRef } from 'react';
import { isActive } from '#contract/generation-status.ts';
import type { Generation } from '#contract/resources/generation.ts';
import { type GenerationFilters, generationQuery, readGenerations } from '#web/queries/generations.ts';
import { type LiveList, replaceRow } from '#web/queries/live-list.ts';
import { queryKeys } from '#web/queries/query-keys.ts';
import { useLiveList } from '#web/queries/use-live-list.ts';

const POLL_MS = 2000;
/** Rows under way that are older than the newest page are read one by one: so many at once, so often. */
const STRAGGLERS = { most: 8, poll_ms: 5000 };

const anyMoves = (rows: readonly Generation[]) => rows.some(({ status }) => isActive(status));

/**
 * A list of generations that follows what is under way.
 * @param filters the same object as long as they are the same
 */
export function useGenerationList(filters: GenerationFilters) {
  const client = useQueryClient();
  const listKey = useMemo(() => queryKeys.generations.list(filters), [filters]);
  const headKey = useMemo(() => queryKeys.generations.head(filters), [filters]);
  const list = useLiveList<Generation>({
    listKey,
    headKey,
    read: (cursor, signal) => readGenerations(filters, cursor, signal),
    poll_ms: (rows) => (anyMoves(rows) ? POLL_MS : false),
  });
  const { rows, newest } = list;
  const moving = useMemo(() => rows.filter(({ status }) => isActive(status)).map(({ id }) => id), [rows]);

  const stragglers = useQueries({
    queries: moving
      .filter((id) => newest && !newest.data.some((row) => row.id === id))
      .slice(-STRAGGLERS.most)
      .map((id) => ({ ...generationQuery(id), refetchInterval: STRAGGLERS.poll_ms })),
    combine: (results) => results.flatMap(({ data }) => data ?? []),
  });
  useEffect(() => {
    if (stragglers.length === 0) return;
    client.setQueryData<LiveList<Generation>>(listKey, (known) => known && stragglers.reduce(replaceRow, known));
  }, [client, listKey, stragglers]);

  const movingIds = moving.join();
  const known = useRef(movingIds);
  useEffect(() => {
    if (known.current === movingIds) return;
    known.current = movingIds;
    // Something started or ended: funds moved with it.
    void client.invalidateQueries({ queryKey: queryKeys.billing.all });
  }, [client, movingIds]);

  return list;
}
