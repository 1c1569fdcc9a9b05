import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { pendingReviewsQuery } from '#web/api/queries/review.ts';
import { requestsQuery } from '#web/api/queries/requests.ts';
import { pendingCount } from './pending-count.ts';

const POLL_MS = 30_000;
/** More than a person decides in a week. */
const MAX_REQUESTS = 200;

/** Counts what waits for a decision of the person, for the navigation. */
export function PendingCounter() {
  const reviews = useQuery(pendingReviewsQuery).data?.length ?? 0;
  const pendingRequests = requestsQuery({ status: 'pending' }, MAX_REQUESTS);
  const requests = useInfiniteQuery({ ...pendingRequests, refetchInterval: POLL_MS }).data?.pages[0]?.data.length ?? 0;
  useEffect(() => pendingCount.set(reviews + requests), [reviews, requests]);
  useEffect(() => () => pendingCount.set(0), []);
  return null;
}
