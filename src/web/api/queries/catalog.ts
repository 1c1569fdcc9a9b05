import { queryOptions } from '@tanstack/react-query';
import { api } from '../api.ts';
import { queryKeys } from './query-keys.ts';

const CATALOG_CACHE_OPTIONS = { staleTime: 5 * 60_000, gcTime: Number.POSITIVE_INFINITY };

export const tasksQuery = queryOptions({
  queryKey: queryKeys.tasks,
  queryFn: async ({ signal }) => (await api.call('list_tasks', { signal })).data,
  ...CATALOG_CACHE_OPTIONS,
});

/** Every model, with its availability and engine. */
export const modelsQuery = queryOptions({
  queryKey: queryKeys.models,
  queryFn: async ({ signal }) => (await api.call('list_models', { signal })).data,
  ...CATALOG_CACHE_OPTIONS,
});

export const pricingQuery = queryOptions({
  queryKey: queryKeys.pricing,
  queryFn: async ({ signal }) => (await api.call('get_pricing', { signal })).data,
  ...CATALOG_CACHE_OPTIONS,
});
