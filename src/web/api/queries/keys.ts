import { mutationOptions } from '@tanstack/react-query';
import type { BodyInput } from '#contract/api/endpoints.ts';
import { api } from '../api.ts';
import { apiMutation, apiQuery, invalidate, SEND_ONCE } from '../api-query.ts';

/** Every key of the organization. Needs an organization key. */
export const keysQuery = apiQuery('list_api_keys', {}, { read: ({ data }) => data });

/** Creates a key. The response contains the key itself. */
export const useCreateKey = apiMutation((body: BodyInput<'create_api_key'>) => api.call('create_api_key', { body }), {
  ...SEND_ONCE,
  stale: ['list_api_keys'],
});

/** Changes the name and the limits of a key. */
export const useUpdateKey = apiMutation(
  ({ id, ...body }: BodyInput<'update_api_key'> & { id: string }) =>
    api.call('update_api_key', { params: { key_id: id }, body }),
  { stale: ['list_api_keys'] },
);

/** Replaces the secret of a key. The response contains it. */
export const useRotateKey = apiMutation(
  ({ id, overlapHours }: { id: string; overlapHours: number }) =>
    api.call('rotate_api_key', { params: { key_id: id }, body: { overlap_hours: overlapHours } }),
  { ...SEND_ONCE, stale: ['list_api_keys'] },
);

export const createSignInLink = mutationOptions<string, Error, string>({
  mutationFn: async (key) => {
    const { token } = await api.call('create_sign_in_token', { key });
    return `${window.location.origin}/sign-in#token=${token}`;
  },
  gcTime: 0,
});

/** Revokes a key. The list shows it at once and is restored where the service refuses. */
export const useRevokeKey = apiMutation((id: string) => api.call('delete_api_key', { params: { key_id: id } }), {
  onMutate: async (id, { client }) => {
    const { queryKey } = keysQuery;
    await client.cancelQueries({ queryKey });
    const previous = client.getQueryData(queryKey);
    const revokedAt = new Date().toISOString();
    client.setQueryData(queryKey, (keys) =>
      keys?.map((key) => (key.id === id ? { ...key, revoked_at: revokedAt } : key)),
    );
    return { previous };
  },
  onError: (_error, _id, context, { client }) => client.setQueryData(keysQuery.queryKey, context?.previous),
  onSettled: (_data, _error, _id, _context, { client }) => invalidate(client, 'list_api_keys'),
});
