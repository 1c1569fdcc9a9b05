import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import type { BodyInput } from '#contract/endpoints.ts';
import type { Provider } from '#contract/resources/provider.ts';
import { api } from '../api.ts';
import { queryKeys } from './query-keys.ts';

const POLL_MS = 5_000;

/** Numbers connections with the same name in order of creation: “OpenAI”, “OpenAI (2)”. */
function numberNames(providers: readonly Provider[]): Provider[] {
  const oldest_first = providers.toSorted(
    (one, other) => (one.created_at ?? '').localeCompare(other.created_at ?? '') || one.id.localeCompare(other.id),
  );
  return providers.map((provider) => {
    const at = oldest_first.filter(({ name }) => name === provider.name).indexOf(provider);
    return at === 0 ? provider : { ...provider, name: `${provider.name} (${at + 1})` };
  });
}

/** Connected providers and engines of the operator's file. Needs an organization key of the operator. */
export const providersQuery = queryOptions({
  queryKey: queryKeys.providers.connected,
  queryFn: async ({ signal }) => (await api.call('list_providers', { signal })).data,
  select: numberNames,
  refetchInterval: ({ state }) => (state.data?.some(({ running_jobs }) => running_jobs > 0) ? POLL_MS : false),
});

/** Unfinished jobs of this organization at a provider. */
export const providerJobsQuery = (provider_id: string) =>
  queryOptions({
    queryKey: queryKeys.providers.jobs(provider_id),
    queryFn: async ({ signal }) => (await api.call('list_provider_jobs', { params: { provider_id }, signal })).data,
    refetchInterval: POLL_MS,
  });

/** Every provider that can be connected, with its models and costs. */
export const providerPresetsQuery = queryOptions({
  queryKey: queryKeys.providers.presets,
  queryFn: async ({ signal }) => (await api.call('list_provider_presets', { signal })).data,
  staleTime: 60_000,
});

/** Models, prices and the account's summary of providers change with every connection. */
function useInvalidateCatalog() {
  const client = useQueryClient();
  return () => {
    for (const queryKey of [queryKeys.models, queryKeys.tasks, queryKeys.pricing, queryKeys.estimates, queryKeys.me])
      void client.invalidateQueries({ queryKey });
    return client.invalidateQueries({ queryKey: queryKeys.providers.all });
  };
}

// A key in a request is not kept in the cache of mutations, and not sent again by itself.
const ONE_REQUEST = { retry: false, networkMode: 'always', gcTime: 0 } as const;

export const useTestProviderKey = () =>
  useMutation({
    mutationFn: (body: BodyInput<'test_provider_key'>) => api.call('test_provider_key', { body }),
    ...ONE_REQUEST,
  });

export function useConnectProvider() {
  const onSettled = useInvalidateCatalog();
  return useMutation({
    mutationFn: (body: BodyInput<'connect_provider'>) => api.call('connect_provider', { body }),
    ...ONE_REQUEST,
    onSettled,
  });
}

export function useUpdateProvider() {
  const onSettled = useInvalidateCatalog();
  return useMutation({
    mutationFn: ({ id, ...body }: { id: string } & BodyInput<'update_provider'>) =>
      api.call('update_provider', { params: { provider_id: id }, body }),
    onSettled,
  });
}

export function useRotateProviderKey() {
  const onSettled = useInvalidateCatalog();
  return useMutation({
    mutationFn: ({ id, key }: { id: string; key: string }) =>
      api.call('rotate_provider_key', { params: { provider_id: id }, body: { key } }),
    ...ONE_REQUEST,
    onSettled,
  });
}

export const useTestProvider = () =>
  useMutation({
    mutationFn: (id: string) => api.call('test_provider', { params: { provider_id: id } }),
    retry: false,
  });

export function useDisconnectProvider() {
  const onSettled = useInvalidateCatalog();
  return useMutation({
    mutationFn: (id: string) => api.call('disconnect_provider', { params: { provider_id: id } }),
    onSettled,
  });
}
