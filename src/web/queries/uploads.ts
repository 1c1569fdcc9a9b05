import { infiniteQueryOptions } from '@tanstack/react-query';
import { api } from '#web/api.ts';
import { type Filters, queryKeys } from '#web/queries/query-keys.ts';

/** What was uploaded, newest first. An addition: a service may lack it (see `isMissingFeature`). */
export const uploadsQuery = (filters: Filters<'list_uploads'> = {}) =>
  infiniteQueryOptions({
    queryKey: queryKeys.uploads.list(filters),
    queryFn: ({ pageParam, signal }) =>
      api.call('list_uploads', { query: { ...filters, ...(pageParam ? { cursor: pageParam } : {}) }, signal }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
  });
