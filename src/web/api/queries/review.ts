import { type QueryClient, queryOptions } from '@tanstack/react-query';
import type { BodyInput } from '#contract/api/endpoints.ts';
import type { Generation } from '#contract/resources/generation.ts';
import type { UpstreamJob } from '#contract/resources/review.ts';
import { api } from '../api.ts';
import { ApiError } from '../api-errors.ts';
import { apiKey, apiMutation, apiQuery, invalidate } from '../api-query.ts';
import { BILLING_READS, GENERATION_READS } from './stale-endpoints.ts';

const POLL_MS = { pending: 30_000, stoppingJob: 3_000 };
const PAGE_SIZE = 200;
/** More than a person decides in a week. */
const MAX_PAGES = 10;

async function loadPendingReviews(signal: AbortSignal): Promise<Generation[]> {
  const reviews: Generation[] = [];
  let cursor: string | null = null;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const query: object = { status: 'manual_review', limit: PAGE_SIZE, ...(cursor ? { cursor } : {}) };
    const list = await api.call('list_generations', { query, signal });
    reviews.push(...list.data);
    cursor = list.next_cursor;
    if (cursor === null) break;
  }
  // A generation does not change while it is in review, so this is when the review began.
  return reviews.toSorted((a, b) => a.updated_at.localeCompare(b.updated_at));
}

/** Every generation that needs a review, the longest wait first. */
export const pendingReviewsQuery = queryOptions({
  queryKey: apiKey('list_generations', { query: { status: 'manual_review' } }, 'pending'),
  queryFn: ({ signal }) => loadPendingReviews(signal),
  refetchInterval: POLL_MS.pending,
});

/** The review of a generation, open or decided. Needs an organization key. */
export const reviewQuery = (id: string) => apiQuery('get_review', { params: { generation_id: id } });

/** Whether a job may still run at the provider although its generation has ended. */
export const isStoppingJob = ({ state, billing_status }: Pick<UpstreamJob, 'state' | 'billing_status'>): boolean =>
  state === 'accepted' && billing_status === 'released';

/** The provider's job of a generation, with its cost. Needs an organization key. */
export const upstreamQuery = ({ id, status }: Pick<Generation, 'id' | 'status'>) =>
  apiQuery(
    'get_upstream_job',
    { params: { generation_id: id } },
    {
      // After a cancel, the provider's cost arrives later.
      poll: (job) => (job && isStoppingJob(job) ? POLL_MS.stoppingJob : false),
      // The cost is known once the generation is complete.
      version: status,
    },
  );

export interface ReviewDecisionInput {
  generation: Generation;
  body: BodyInput<'decide_review'>;
}

const updatePendingReviews = (client: QueryClient, change: (list: Generation[]) => Generation[]) =>
  client.setQueryData(pendingReviewsQuery.queryKey, (list) => list && change(list));

export const isAlreadyDecided = (error: unknown): boolean =>
  error instanceof ApiError && error.code === 'not_in_review';

/**
 * Approves or rejects a generation. The list drops it at once and restores it where the service refuses for another
 * reason than an earlier decision. Deciding the same twice is one decision, so the request can be retried.
 */
export const useDecideReview = apiMutation(
  ({ generation: { id }, body }: ReviewDecisionInput) =>
    api.call('decide_review', { params: { generation_id: id }, body }),
  {
    onMutate: async ({ generation: { id } }, { client }) => {
      await client.cancelQueries({ queryKey: pendingReviewsQuery.queryKey });
      updatePendingReviews(client, (list) => list.filter((each) => each.id !== id));
    },
    onError: (error, { generation }, _result, { client }) => {
      if (isAlreadyDecided(error)) return;
      updatePendingReviews(client, (list) => [generation, ...list.filter(({ id }) => id !== generation.id)]);
    },
    onSuccess: (review, _input, _result, { client }) =>
      client.setQueryData(reviewQuery(review.generation_id).queryKey, review),
    onSettled: (_review, _error, _input, _result, { client }) =>
      void invalidate(client, ...GENERATION_READS, ...BILLING_READS),
  },
);
