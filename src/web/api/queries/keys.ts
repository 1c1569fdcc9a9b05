import { mutationOptions, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import type { BodyInput } from '#contract/endpoints.ts';
import type { ApiKey } from '#contract/resources/api-key.ts';
import { api } from '../api.ts';
import { queryKeys } from './query-keys.ts';

/** Every key of the organization. Needs an organization key, and is an addition (see `isMissingFeature`). */
export const keysQuery = queryOptions({
  queryKey: queryKeys.keys,
  queryFn: async ({ signal }) => (await api.call('list_api_keys', { signal })).data,
});

/** Creates a key. The response contains the key itself, so it is not cached. */
export function useCreateKey() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: BodyInput<'create_api_key'>) => api.call('create_api_key', { body }),
    // Not retried: the lost response may belong to a key that nobody has seen.
    retry: false,
    // The dialog stays open until the response arrives: offline that is an error at once, not a pause.
    networkMode: 'always',
    gcTime: 0,
    onSettled: () => client.invalidateQueries({ queryKey: queryKeys.keys }),
  });
}

/** Changes the name and the limits of a key. */
export function useUpdateKey() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id, ...body }: BodyInput<'update_api_key'> & { id: string }) =>
      api.call('update_api_key', { params: { key_id: id }, body }),
    onSettled: () => client.invalidateQueries({ queryKey: queryKeys.keys }),
  });
}

/** Replaces the secret of a key. The response contains it, so it is not cached. */
export function useRotateKey() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id, overlap_hours }: { id: string; overlap_hours: number }) =>
      api.call('rotate_api_key', { params: { key_id: id }, body: { overlap_hours } }),
    // Not retried: the lost response may hold a secret that nobody has seen.
    retry: false,
    networkMode: 'always',
    gcTime: 0,
    onSettled: () => client.invalidateQueries({ queryKey: queryKeys.keys }),
  });
}

export const createSignInLink = mutationOptions<string, Error, string>({
  mutationFn: async (key) => {
    const { token } = await api.call('create_sign_in_token', { key });
    return `${window.location.origin}/sign-in#token=${token}`;
  },
  gcTime: 0,
});

/** Revokes a key. The list shows it at once and is restored where the service refuses. */
export function useRevokeKey() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => api.call('delete_api_key', { params: { key_id: id } }),
    onMutate: async (id) => {
      await client.cancelQueries({ queryKey: queryKeys.keys });
      const previous = client.getQueryData<ApiKey[]>(queryKeys.keys);
      const revoked_at = new Date().toISOString();
      client.setQueryData<ApiKey[]>(queryKeys.keys, (keys) =>
        keys?.map((key) => (key.id === id ? { ...key, revoked_at } : key)),
      );
      return { previous };
    },
    onError: (_error, _id, context) => client.setQueryData(queryKeys.keys, context?.previous),
    onSettled: () => client.invalidateQueries({ queryKey: queryKeys.keys }),
  });
}
