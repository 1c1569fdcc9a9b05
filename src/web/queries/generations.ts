import {
  infiniteQueryOptions,
  mutationOptions,
  type QueryClient,
  queryOptions,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query';
import type { BodyInput } from '#contract/endpoints.ts';
import { type Generation, type GenerationStatus, isActive } from '#contract/resources/generation.ts';
import { api } from '#web/api.ts';
import { again, againDelay } from '#web/queries/again.ts';
import { type Filters, queryKeys } from '#web/queries/query-keys.ts';

/** While something is under way: a quiet poll, mostly answered with 304. */
const POLL_MS = { detail: 1000, list: 2000 };
const PAGE_SIZE = 50;

export type GenerationFilters = Filters<'list_generations'>;

const isMoving = (status: GenerationStatus | undefined) => status !== undefined && isActive(status);

/** One generation, polled until it has ended. */
export const generationQuery = (id: string) =>
  queryOptions({
    queryKey: queryKeys.generations.detail(id),
    queryFn: ({ signal }) => api.call('get_generation', { params: { generation_id: id }, signal }),
    refetchInterval: ({ state }) => (isMoving(state.data?.status) ? POLL_MS.detail : false),
    retry: again,
    retryDelay: againDelay,
  });

/** All generations that match, newest first, page by page; polled while one that was loaded is under way. */
export const generationsQuery = (filters: GenerationFilters = {}) =>
  infiniteQueryOptions({
    queryKey: queryKeys.generations.list(filters),
    queryFn: ({ pageParam, signal }) =>
      api.call('list_generations', {
        query: { ...filters, limit: PAGE_SIZE, ...(pageParam ? { cursor: pageParam } : {}) },
        signal,
      }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
    refetchInterval: ({ state }) =>
      state.data?.pages.some((page) => page.data.some(({ status }) => isMoving(status))) ? POLL_MS.list : false,
    retry: again,
    retryDelay: againDelay,
  });

/** Puts a newer reading of a generation where it is shown, and lets lists and funds be read anew. */
export function learn(client: QueryClient, generation: Generation): void {
  client.setQueryData(queryKeys.generations.detail(generation.id), generation);
  void client.invalidateQueries({ queryKey: queryKeys.generations.lists });
  void client.invalidateQueries({ queryKey: queryKeys.billing.all });
}

export interface Order {
  body: BodyInput<'create_generation'>;
  /** One per press of the button: sending the same order again never starts it twice. */
  idempotency_key: string;
}

/** Starts a generation; where no answer comes, the same order is sent again with its key. */
export const createGeneration = mutationOptions({
  mutationFn: (order: Order) => api.call('create_generation', order),
  retry: again,
  retryDelay: againDelay,
  networkMode: 'always',
});

export function useCreateGeneration() {
  const client = useQueryClient();
  return useMutation({ ...createGeneration, onSuccess: (generation) => learn(client, generation) });
}

/** Cancels; answers the generation as it then is, ended already or canceled. */
export function useCancelGeneration() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => api.call('cancel_generation', { params: { generation_id: id } }),
    retry: again,
    retryDelay: againDelay,
    onSuccess: (generation) => learn(client, generation),
  });
}

/** Starts a failed or canceled generation again, as a new one. */
export function useRetryGeneration() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id, idempotency_key }: { id: string; idempotency_key: string }) =>
      api.call('retry_generation', { params: { generation_id: id }, idempotency_key }),
    retry: again,
    retryDelay: againDelay,
    onSuccess: (generation) => learn(client, generation),
  });
}
