import { queryOptions } from '@tanstack/react-query';
import { api } from '../api.ts';
import { cacheServiceOrigin } from '../reference-info.ts';
import { queryKeys } from './query-keys.ts';

/** One item with its whole prompt and the number of its uses. An addition (see `isMissingFeature`). */
export const mediaQuery = (id: string) =>
  queryOptions({
    queryKey: queryKeys.media.detail(id),
    queryFn: async ({ signal }) => {
      const medium = await api.call('get_media', { params: { media_id: id }, signal });
      cacheServiceOrigin(medium.url);
      return medium;
    },
  });

export const chosenMediaQuery = (ids: readonly string[]) =>
  queryOptions({
    queryKey: queryKeys.media.chosen(ids),
    queryFn: ({ signal }) => Promise.all(ids.map((id) => api.call('get_media', { params: { media_id: id }, signal }))),
  });
