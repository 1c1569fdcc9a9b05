import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { MAX_LABEL_MEDIA } from '#contract/limits.ts';
import { api } from '../api.ts';
import { cacheLabels } from './media.ts';
import { queryKeys } from './query-keys.ts';

/** Labels that contain a text, in alphabetical order. An addition (see `isMissingFeature`). */
export const labelsQuery = (q: string) =>
  queryOptions({
    queryKey: queryKeys.media.labels(q),
    queryFn: async ({ signal }) => {
      const { data } = await api.call('list_media_labels', { query: { limit: 20, ...(q ? { q } : {}) }, signal });
      return data.map(({ label }) => label);
    },
    placeholderData: keepPreviousData,
    // Suggestions are not worth a message.
    retry: false,
    staleTime: 30_000,
  });

interface LabelsChange {
  media_ids: readonly string[];
  add?: string[];
  remove?: string[];
}

/** Adds labels to items and removes others. */
export function useChangeLabels() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async ({ media_ids, add = [], remove = [] }: LabelsChange) => {
      const labels = new Map<string, string[]>();
      for (let start = 0; start < media_ids.length; start += MAX_LABEL_MEDIA) {
        const body = { media_ids: media_ids.slice(start, start + MAX_LABEL_MEDIA), add, remove };
        for (const { id, labels: own } of (await api.call('label_media', { body })).media) labels.set(id, own);
      }
      return labels;
    },
    onSuccess: (labels) => cacheLabels(client, labels),
    onSettled: () => {
      void client.invalidateQueries({ queryKey: queryKeys.media.heads });
      void client.invalidateQueries({ queryKey: [...queryKeys.media.all, 'labels'] });
    },
  });
}
