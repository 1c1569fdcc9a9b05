import { infiniteQueryOptions, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import type { BodyInput } from '#contract/endpoints.ts';
import type { TaskId } from '#contract/ids.ts';
import { api } from '../api.ts';
import { newIdempotencyKey } from './idempotency-key.ts';
import { queryKeys } from './query-keys.ts';

const PAGE_SIZE = 20;
const RECENT_PROMPTS = 30;

/** One's own presets and the shared ones, page by page. An addition (see `isMissingFeature`). */
export const presetsQuery = (task: TaskId | undefined) =>
  infiniteQueryOptions({
    queryKey: queryKeys.presets.list({ task }),
    queryFn: ({ pageParam, signal }) =>
      api.call('list_presets', {
        query: { limit: PAGE_SIZE, ...(task ? { task } : {}), ...(pageParam ? { cursor: pageParam } : {}) },
        signal,
      }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
    staleTime: 10_000,
  });

/** A preset with its input. Its links to media are new, so it is read again each time. */
export const presetQuery = (id: string) =>
  queryOptions({
    queryKey: queryKeys.presets.detail(id),
    queryFn: ({ signal }) => api.call('get_preset', { params: { preset_id: id }, signal }),
    staleTime: 0,
    gcTime: 0,
  });

/** One's own latest prompts, each once. An addition (see `isMissingFeature`). */
export const recentPromptsQuery = queryOptions({
  queryKey: queryKeys.recentPrompts,
  queryFn: async ({ signal }) =>
    (await api.call('list_recent_prompts', { query: { limit: RECENT_PROMPTS }, signal })).data,
  staleTime: 30_000,
});

/** Saves a form. A request without a response is sent again with its idempotency key. */
export function useCreatePreset() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: BodyInput<'create_preset'>) =>
      api.call('create_preset', { body, idempotency_key: newIdempotencyKey() }),
    onSettled: () => client.invalidateQueries({ queryKey: queryKeys.presets.all }),
  });
}

export function useUpdatePreset() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id, ...body }: BodyInput<'update_preset'> & { id: string }) =>
      api.call('update_preset', { params: { preset_id: id }, body }),
    onSettled: () => client.invalidateQueries({ queryKey: queryKeys.presets.all }),
  });
}

export function useDeletePreset() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => api.call('delete_preset', { params: { preset_id: id } }),
    onSettled: () => client.invalidateQueries({ queryKey: queryKeys.presets.all }),
  });
}
