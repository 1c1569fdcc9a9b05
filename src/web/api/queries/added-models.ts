import type { BodyInput } from '#contract/api/endpoints.ts';
import type { ModelSource } from '#contract/resources/added-model.ts';
import { isActive } from '#contract/statuses.ts';
import { api } from '../api.ts';
import { apiKey, apiMutation, apiQuery } from '../api-query.ts';

const POLL_MS = 1_500;

/** Added models of the organization, removed ones too. Needs an organization key of the operator. */
export const addedModelsQuery = apiQuery('list_added_models', {}, { read: ({ data }) => data });

/** Connected providers whose models can be added. */
export const modelProvidersQuery = apiQuery('list_model_providers', {}, { read: ({ data }) => data });

export const addedModelQuery = (id: string) =>
  apiQuery(
    'get_added_model',
    { params: { model_id: id } },
    { poll: (model) => (model?.tests.some(({ status }) => isActive(status)) ? POLL_MS : false) },
  );

/** Calls the provider, so that it is not repeated by itself. */
const ASKS_PROVIDER = { retry: false, staleTime: 5 * 60_000 } as const;

export const providerModelsQuery = (providerId: string, q: string) =>
  apiQuery(
    'search_provider_models',
    { body: { provider_id: providerId, q } },
    { read: ({ data }) => data, keepPrevious: true, ...ASKS_PROVIDER },
  );

export const inspectionQuery = (body: ModelSource) =>
  apiQuery('inspect_model', { body }, { keepPrevious: true, ...ASKS_PROVIDER });

/** What an update would change, read each time it is opened. */
export const comparisonQuery = (id: string) =>
  apiQuery('compare_added_model', { params: { model_id: id } }, { retry: false, staleTime: 0, gcTime: 0 });

/** Forms, prices and the kinds of work follow the published models. */
const CATALOG_READS = [
  'list_added_models',
  'get_added_model',
  'list_models',
  'list_tasks',
  'get_pricing',
  'create_estimate',
] as const;

export const useCreateAddedModel = apiMutation(
  (body: BodyInput<'create_added_model'>) => api.call('create_added_model', { body }),
  { retry: false, stale: ['list_added_models'] },
);

export const useUpdateAddedModel = apiMutation(
  ({ id, ...body }: { id: string } & BodyInput<'update_added_model'>) =>
    api.call('update_added_model', { params: { model_id: id }, body }),
  { stale: CATALOG_READS },
);

export const useUpgradeAddedModel = apiMutation(
  ({ id, ...body }: { id: string } & BodyInput<'upgrade_added_model'>) =>
    api.call('upgrade_added_model', { params: { model_id: id }, body }),
  { retry: false, stale: CATALOG_READS },
);

export const useRemoveAddedModel = apiMutation(
  (id: string) => api.call('remove_added_model', { params: { model_id: id } }),
  { stale: CATALOG_READS },
);

/** Runs a model once, at its price. */
export const useTestAddedModel = apiMutation(
  ({ id, input, idempotency_key }: { id: string; input: Record<string, unknown>; idempotency_key: string }) =>
    api.call('test_added_model', { params: { model_id: id }, body: { input }, idempotency_key }),
  {
    networkMode: 'always',
    stale: [apiKey('get_added_model'), apiKey('get_billing_summary')],
  },
);
