import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import type { BodyInput } from '#contract/endpoints.ts';
import { api } from '../api.ts';
import { isMissingFeature } from '../api-errors.ts';
import { queryKeys } from './query-keys.ts';

/** The tags of the organization; none where the service has no tags. */
export const tagsQuery = queryOptions({
  queryKey: queryKeys.tags,
  queryFn: async ({ signal }) => {
    try {
      return (await api.call('list_tags', { signal })).data;
    } catch (error) {
      if (isMissingFeature(error)) return [];
      throw error;
    }
  },
  staleTime: 60_000,
});

/** Values of a tag that were used before, the latest first. An addition (see `isMissingFeature`). */
export const tagValuesQuery = (name: string, q: string) =>
  queryOptions({
    queryKey: queryKeys.tagValues(name, q),
    queryFn: async ({ signal }) => {
      const query = { limit: 20, ...(q ? { q } : {}) };
      const { data } = await api.call('list_tag_values', { params: { tag_name: name }, query, signal });
      return data.map(({ value }) => value);
    },
    placeholderData: keepPreviousData,
    // Suggestions are not worth a message.
    retry: false,
    staleTime: 30_000,
  });

export function useSetTag() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ name, ...body }: BodyInput<'set_tag'> & { name: string }) =>
      api.call('set_tag', { params: { tag_name: name }, body }),
    onSettled: () => client.invalidateQueries({ queryKey: queryKeys.tags }),
  });
}

export function useDeleteTag() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (name: string) => api.call('delete_tag', { params: { tag_name: name } }),
    onSettled: () => client.invalidateQueries({ queryKey: queryKeys.tags }),
  });
}
