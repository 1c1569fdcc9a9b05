import type { BodyInput } from '#contract/api/endpoints.ts';
import { api } from '../api.ts';
import { apiMutation, apiQuery } from '../api-query.ts';
import { rememberModels } from '../known-models.ts';

const CATALOG_CACHE = { staleTime: 5 * 60_000, gcTime: Number.POSITIVE_INFINITY };

export const tasksQuery = apiQuery(
  'list_tasks',
  {},
  { read: ({ data, extra }) => [...data, ...extra], ...CATALOG_CACHE },
);

/** Every model, with its availability and engine. */
export const modelsQuery = apiQuery(
  'list_models',
  {},
  {
    read({ data }) {
      rememberModels(data);
      return data;
    },
    ...CATALOG_CACHE,
  },
);

export const pricingQuery = apiQuery(
  'get_pricing',
  {},
  { read: ({ data, extra }) => [...data, ...extra], ...CATALOG_CACHE },
);

/** For signed-in callers. */
export const usualDurationsQuery = apiQuery(
  'list_usual_durations',
  {},
  { read: ({ data }) => data, staleTime: 60_000 },
);

export type EstimateBody = BodyInput<'create_estimate'>;

export const estimateQuery = (body: EstimateBody) =>
  apiQuery('create_estimate', { body }, { staleTime: 60_000, gcTime: 60_000 });

export const useSetCatalogLabel = apiMutation(
  ({ id, ...body }: { id: string } & BodyInput<'set_catalog_label'>) =>
    api.call('set_catalog_label', { params: { catalog_id: id }, body }),
  { stale: ['list_models', 'list_tasks'] },
);

export const useDeleteCatalogLabel = apiMutation(
  (id: string) => api.call('delete_catalog_label', { params: { catalog_id: id } }),
  { stale: ['list_models', 'list_tasks'] },
);
