import { useMutation, useQueryClient } from '@tanstack/react-query';
import { isActive } from '#contract/statuses.ts';
import { api } from '../api.ts';
import { cachedGeneration, cacheGeneration, cacheGenerationRow, retryGenerationMutation } from './generations.ts';
import { queryKeys } from './query-keys.ts';

/** Cancels a generation. The cache shows it at once and is restored where the service refuses. */
export function useCancelGeneration() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => api.call('cancel_generation', { params: { generation_id: id } }),
    onMutate: async (id) => {
      // A response to an earlier request must not restore the previous state.
      await client.cancelQueries({ queryKey: queryKeys.generations.heads });
      await client.cancelQueries({ queryKey: queryKeys.generations.detail(id) });
      const previous = cachedGeneration(client, id);
      if (previous && isActive(previous.status))
        cacheGenerationRow(client, { ...previous, status: 'canceled', progress: null });
      return { previous };
    },
    onError: (_error, _id, context) => {
      if (context?.previous) cacheGenerationRow(client, context.previous);
    },
    onSuccess: (generation) => cacheGeneration(client, generation),
  });
}

export function useRetryGeneration() {
  const client = useQueryClient();
  return useMutation({
    ...retryGenerationMutation,
    onSuccess: (generation) => cacheGeneration(client, generation),
  });
}
