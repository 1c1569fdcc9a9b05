import type { BodyInput } from '#contract/api/endpoints.ts';
import type { Provider } from '#contract/resources/provider.ts';
import { api } from '../api.ts';
import { apiMutation, apiQuery, SEND_ONCE } from '../api-query.ts';

const POLL_MS = 5_000;

/** Numbers connections with the same name in order of creation: “OpenAI”, “OpenAI (2)”. */
function numberNames(providers: readonly Provider[]): Provider[] {
  const oldestFirst = providers.toSorted(
    (one, other) => (one.created_at ?? '').localeCompare(other.created_at ?? '') || one.id.localeCompare(other.id),
  );
  return providers.map((provider) => {
    const at = oldestFirst.filter(({ name }) => name === provider.name).indexOf(provider);
    return at === 0 ? provider : { ...provider, name: `${provider.name} (${at + 1})` };
  });
}

/** Connected providers and engines of the operator's file. Needs an organization key of the operator. */
export const providersQuery = apiQuery(
  'list_providers',
  {},
  {
    read: ({ data }) => numberNames(data),
    poll: (providers) => (providers?.some(({ running_jobs }) => running_jobs > 0) ? POLL_MS : false),
  },
);

/** Unfinished jobs of this organization at a provider. */
export const providerJobsQuery = (id: string) =>
  apiQuery('list_provider_jobs', { params: { provider_id: id } }, { read: ({ data }) => data, poll: POLL_MS });

/** Every provider that can be connected, with its models and costs. */
export const providerPresetsQuery = apiQuery(
  'list_provider_presets',
  {},
  { read: ({ data }) => data, staleTime: 60_000 },
);

/** Models, prices and the account's summary of providers change with every connection. */
const CATALOG_READS = [
  'list_models',
  'list_tasks',
  'get_pricing',
  'create_estimate',
  'get_me',
  'list_providers',
  'list_provider_jobs',
  'list_provider_presets',
] as const;

const BILLING_READS = ['list_providers', 'list_bill_readings'] as const;

export const useTestProviderKey = apiMutation(
  (body: BodyInput<'test_provider_key'>) => api.call('test_provider_key', { body }),
  SEND_ONCE,
);

export const useConnectProvider = apiMutation(
  (body: BodyInput<'connect_provider'>) => api.call('connect_provider', { body }),
  { ...SEND_ONCE, stale: CATALOG_READS },
);

export const useUpdateProvider = apiMutation(
  ({ id, ...body }: { id: string } & BodyInput<'update_provider'>) =>
    api.call('update_provider', { params: { provider_id: id }, body }),
  { stale: CATALOG_READS },
);

export const useRotateProviderKey = apiMutation(
  ({ id, key }: { id: string; key: string }) =>
    api.call('rotate_provider_key', { params: { provider_id: id }, body: { key } }),
  { ...SEND_ONCE, stale: CATALOG_READS },
);

export const useTestProvider = apiMutation((id: string) => api.call('test_provider', { params: { provider_id: id } }), {
  retry: false,
});

export const useDisconnectProvider = apiMutation(
  (id: string) => api.call('disconnect_provider', { params: { provider_id: id } }),
  { stale: CATALOG_READS },
);

export const useSetBillingKey = apiMutation(
  ({ id, key }: { id: string; key: string }) =>
    api.call('set_billing_key', { params: { provider_id: id }, body: { key } }),
  { ...SEND_ONCE, stale: BILLING_READS },
);

export const useRemoveBillingKey = apiMutation(
  (id: string) => api.call('remove_billing_key', { params: { provider_id: id } }),
  { stale: BILLING_READS },
);
