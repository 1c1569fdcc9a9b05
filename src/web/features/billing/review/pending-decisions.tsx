import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { requestsQuery } from '#web/api/queries/requests.ts';
import { pendingReviewsQuery } from '#web/api/queries/review.ts';
import { RequestList } from './request-list.tsx';
import { ReviewInbox } from './review-inbox.tsx';

/** Requests and generations that wait for a decision. Nothing while there are none. */
export function PendingDecisions() {
  const reviews = useQuery(pendingReviewsQuery).data?.length ?? 0;
  const requests = useInfiniteQuery(requestsQuery({ status: 'pending' }, 1)).data?.pages[0]?.data.length ?? 0;
  if (reviews + requests === 0) return null;
  return (
    <div className="flex flex-col gap-6">
      {requests > 0 ? <RequestList /> : null}
      {reviews > 0 ? <ReviewInbox openId={undefined} /> : null}
    </div>
  );
}
