import { queryOptions } from '@tanstack/react-query';
import { api } from '../api.ts';
import { queryKeys } from './query-keys.ts';

/** For signed-in callers. */
export const usualDurationsQuery = queryOptions({
  queryKey: queryKeys.usualDurations,
  queryFn: async ({ signal }) => (await api.call('list_usual_durations', { signal })).data,
  staleTime: 60_000,
});
