import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api } from '../api.ts';
import { cacheServiceOrigin } from '../reference-info.ts';
import { queryKeys } from './query-keys.ts';

const MAX_RESULTS = 6;

/** The newest media whose prompt or file name matches. */
export const mediaSearchQuery = (q: string) =>
  queryOptions({
    queryKey: [...queryKeys.media.all, 'search', q],
    queryFn: async ({ signal }) => {
      const { data } = await api.call('list_media', { query: { q, limit: MAX_RESULTS }, signal });
      if (data[0]) cacheServiceOrigin(data[0].url);
      return data;
    },
    placeholderData: keepPreviousData,
    // The next letter searches again.
    retry: false,
    staleTime: 10_000,
  });
