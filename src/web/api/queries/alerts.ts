import {
  infiniteQueryOptions,
  keepPreviousData,
  queryOptions,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query';
import { api } from '../api.ts';
import type { EndpointFilters } from './query-keys.ts';

const ALERTS = ['alerts'] as const;
const POLL_MS = 60_000;
/** More than this many open alerts are counted as “10+”. */
const OPEN_LIMIT = 10;

export type AlertFilters = EndpointFilters<'list_alerts'>;

/** The newest open alerts. An addition. */
export const openAlertsQuery = queryOptions({
  queryKey: [...ALERTS, 'open'],
  queryFn: ({ signal }) => api.call('list_alerts', { query: { status: 'open', limit: OPEN_LIMIT }, signal }),
  refetchInterval: POLL_MS,
});

/** Alerts, newest first. */
export const alertsQuery = (filters: AlertFilters) =>
  infiniteQueryOptions({
    queryKey: [...ALERTS, 'list', filters],
    queryFn: ({ pageParam, signal }) =>
      api.call('list_alerts', {
        query: { ...filters, limit: 50, ...(pageParam ? { cursor: pageParam } : {}) },
        signal,
      }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
    placeholderData: keepPreviousData,
    staleTime: 0,
    refetchInterval: POLL_MS,
  });

export function useAcknowledgeAlert() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => api.call('acknowledge_alert', { params: { alert_id: id } }),
    onSettled: () => client.invalidateQueries({ queryKey: ALERTS }),
  });
}
