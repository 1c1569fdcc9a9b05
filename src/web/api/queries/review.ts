import { type QueryClient, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import type { BodyInput } from '#contract/endpoints.ts';
import type { Generation } from '#contract/resources/generation.ts';
import type { Review, UpstreamJob } from '#contract/resources/review.ts';
import { api } from '../api.ts';
import { ApiError } from '../api-errors.ts';
import { queryKeys } from './query-keys.ts';

/** The review of a generation, open or decided. Needs an organization key. */
export const reviewQuery = (id: string) =>
  queryOptions({
    queryKey: queryKeys.generations.review(id),
    queryFn: ({ signal }) => api.call('get_review', { params: { generation_id: id }, signal }),
  });

const STOPPING_JOB_POLL_MS = 3_000;

/** Whether a job may still run at the provider although its generation has ended. */
export const isStoppingJob = ({ state, billing_status }: Pick<UpstreamJob, 'state' | 'billing_status'>): boolean =>
  state === 'accepted' && billing_status === 'released';

/** The provider's job of a generation, with its cost. Needs an organization key. */
export const upstreamQuery = ({ id, status }: Pick<Generation, 'id' | 'status'>) =>
  queryOptions({
    queryKey: queryKeys.generations.upstream(id, status),
    queryFn: ({ signal }) => api.call('get_upstream_job', { params: { generation_id: id }, signal }),
    // After a cancel, the provider's cost arrives later.
    refetchInterval: ({ state: { data } }) => (data && isStoppingJob(data) ? STOPPING_JOB_POLL_MS : false),
  });

export interface ReviewDecisionInput {
  generation: Generation;
  body: BodyInput<'decide_review'>;
}

const updatePendingReviews = (client: QueryClient, change: (list: Generation[]) => Generation[]) =>
  client.setQueryData<Generation[]>(queryKeys.generations.waiting, (list) => list && change(list));

export const isAlreadyDecided = (error: unknown): boolean =>
  error instanceof ApiError && error.code === 'not_in_review';

/**
 * Approves or rejects a generation. The list drops it at once and restores it where the service refuses for another
 * reason than an earlier decision. Deciding the same twice is one decision, so the request can be retried.
 */
export function useDecideReview() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ generation: { id }, body }: ReviewDecisionInput) =>
      api.call('decide_review', { params: { generation_id: id }, body }),
    onMutate: async ({ generation: { id } }) => {
      await client.cancelQueries({ queryKey: queryKeys.generations.waiting });
      updatePendingReviews(client, (list) => list.filter((each) => each.id !== id));
    },
    onError: (error, { generation }) => {
      if (isAlreadyDecided(error)) return;
      updatePendingReviews(client, (list) => [generation, ...list.filter(({ id }) => id !== generation.id)]);
    },
    onSuccess: (review: Review) => client.setQueryData(queryKeys.generations.review(review.generation_id), review),
    onSettled: () => {
      void client.invalidateQueries({ queryKey: queryKeys.generations.all });
      void client.invalidateQueries({ queryKey: queryKeys.billing.all });
    },
  });
}
