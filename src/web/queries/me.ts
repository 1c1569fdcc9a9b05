import { queryOptions } from '@tanstack/react-query';
import { api } from '#web/api.ts';
import { queryKeys } from '#web/queries/query-keys.ts';

/** Organization and key of who is signed in. An addition: a service may lack it (see `isMissingFeature`). */
export const meQuery = queryOptions({
  queryKey: queryKeys.me,
  queryFn: ({ signal }) => api.call('get_me', { signal }),
  staleTime: 5 * 60_000,
});
