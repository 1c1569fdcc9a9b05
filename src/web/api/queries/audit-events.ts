import { infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query';
import { api } from '../api.ts';
import { type EndpointFilters, queryKeys } from './query-keys.ts';

export type AuditEventFilters = EndpointFilters<'list_audit_events'>;

/** Who changed what, newest first. An addition. */
export const auditEventsQuery = (filters: AuditEventFilters) =>
  infiniteQueryOptions({
    queryKey: queryKeys.auditEvents(filters),
    queryFn: ({ pageParam, signal }) =>
      api.call('list_audit_events', {
        query: { ...filters, limit: 50, ...(pageParam ? { cursor: pageParam } : {}) },
        signal,
      }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
    placeholderData: keepPreviousData,
    staleTime: 0,
  });
