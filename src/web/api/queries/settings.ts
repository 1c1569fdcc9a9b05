import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import type { BodyInput } from '#contract/endpoints.ts';
import { api } from '../api.ts';
import { queryKeys } from './query-keys.ts';

/** Settings of the organization. An addition (see `isMissingFeature`). */
export const settingsQuery = queryOptions({
  queryKey: queryKeys.settings,
  queryFn: ({ signal }) => api.call('get_settings', { signal }),
  staleTime: 60_000,
});

export function useUpdateSettings() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: BodyInput<'update_settings'>) => api.call('update_settings', { body }),
    onSettled: () => client.invalidateQueries({ queryKey: queryKeys.settings }),
  });
}
