import { mutationOptions, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../api.ts';
import type { GenerationRequest } from './generations.ts';
import { queryKeys } from './query-keys.ts';

interface TogetherRequest {
  orders: readonly GenerationRequest['body'][];
  idempotency_key: string;
}

/** Creates generations together or none. A request without a response is sent again with its idempotency key. */
export const createTogetherMutation = mutationOptions({
  mutationFn: ({ orders, idempotency_key }: TogetherRequest) =>
    api.call('create_batch', { body: { mode: 'together', orders: [...orders] }, idempotency_key }),
  networkMode: 'always',
});

/** Ids of the generations of a batch, in the order of the request. */
export const togetherGenerationsQuery = (batch_id: string) =>
  queryOptions({
    queryKey: [...queryKeys.generations.all, 'together', batch_id],
    queryFn: async ({ signal }) => {
      const { data } = await api.call('list_batch_orders', { params: { batch_id }, query: { limit: 50 }, signal });
      return data.map(({ generation }) => generation?.id ?? null);
    },
  });

/** Cancels the active generations of a batch, or those with these ids. */
export function useCancelTogether() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async ({ batch_id, ids }: { batch_id: string | undefined; ids: readonly string[] }) => {
      if (batch_id === undefined) await api.call('cancel_generations', { body: { ids: [...ids] } });
      else await api.call('cancel_batch', { params: { batch_id }, body: { cancel_running: true } });
    },
    onSettled: () => {
      void client.invalidateQueries({ queryKey: queryKeys.generations.all });
      void client.invalidateQueries({ queryKey: queryKeys.billing.all });
    },
  });
}
