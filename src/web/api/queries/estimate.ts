import { queryOptions } from '@tanstack/react-query';
import type { BodyInput } from '#contract/endpoints.ts';
import { api } from '../api.ts';
import { queryKeys } from './query-keys.ts';

export type EstimateBody = BodyInput<'create_estimate'>;

export const estimateQuery = (body: EstimateBody) =>
  queryOptions({
    queryKey: [...queryKeys.estimates, body],
    queryFn: ({ signal }) => api.call('create_estimate', { body, signal }),
    staleTime: 60_000,
    gcTime: 60_000,
  });
