import { queryOptions } from '@tanstack/react-query';
import type { Generation } from '#contract/resources/generation.ts';
import { api } from '../api.ts';
import { queryKeys } from './query-keys.ts';

const POLL_MS = 30_000;
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
  queryKey: queryKeys.generations.waiting,
  queryFn: ({ signal }) => loadPendingReviews(signal),
  refetchInterval: POLL_MS,
});
