import { useInfiniteQuery } from '@tanstack/react-query';
import type { ApprovalRequest } from '#contract/resources/request.ts';
import { requestsQuery } from '#web/api/queries/requests.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Button } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { RelativeTime } from '#web/ui/relative-time.tsx';
import { describeRequest, REQUEST_STATUS_LABELS } from './describe-request.ts';
import { RequestResultLink } from './request-result-link.tsx';
import { WithdrawButton } from './withdraw-button.tsx';

const PAGE_SIZE = 5;

/** One's own requests, newest first. Nothing while there are none. */
export function OwnRequests() {
  const { data, hasNextPage, isFetchingNextPage, fetchNextPage } = useInfiniteQuery(
    requestsQuery({ own: 'true' }, PAGE_SIZE),
  );
  const requests = data?.pages.flatMap((page) => page.data) ?? [];
  if (requests.length === 0) return null;
  return (
    <Card title="Your requests">
      <ul aria-label="Your requests" className="divide-y divide-line">
        {requests.map((request) => (
          <OwnRequest key={request.id} request={request} />
        ))}
      </ul>
      {hasNextPage ? (
        <Button size="sm" className="mt-3" busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          Show more
        </Button>
      ) : null}
    </Card>
  );
}

function OwnRequest({ request }: { request: ApprovalRequest }) {
  const { status, note, reason, created_at, decided_by } = request;
  const { label, tone } = REQUEST_STATUS_LABELS[status];
  const decider = status === 'canceled' ? null : decided_by?.name;
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 py-3 first:pt-0 last:pb-0">
      <div className="min-w-0 flex-[1_1_12rem]">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <span className="font-medium wrap-anywhere">{describeRequest(request)}</span>
          <Badge tone={tone}>{label}</Badge>
        </p>
        <p dir="auto" className="text-sm wrap-anywhere text-ink-3">
          <RelativeTime at={created_at} /> · {note}
        </p>
        {reason ? (
          <p dir="auto" className="text-sm wrap-anywhere text-ink-2">
            {decider ? `${decider}: ` : null}
            {reason}
          </p>
        ) : null}
      </div>
      {status === 'pending' ? <WithdrawButton request={request} /> : <RequestResultLink request={request} />}
    </li>
  );
}
