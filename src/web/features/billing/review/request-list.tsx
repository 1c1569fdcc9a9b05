import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ApprovalRequest } from '#contract/resources/request.ts';
import { describeRequest, REQUEST_STATUS_LABELS } from '#web/budgets/describe-request.ts';
import { LoadError, LoadingOrError } from '#web/api/load-error.tsx';
import { useCan } from '#web/api/queries/permissions.ts';
import { queryError } from '#web/api/api-errors.ts';
import { requestsQuery, requestQuery } from '#web/api/queries/requests.ts';
import { Badge } from '#web/ui/display/badge.tsx';
import { Button } from '#web/ui/controls/button.tsx';
import { RelativeTime } from '#web/ui/display/relative-time.tsx';
import { SegmentedControl } from '#web/ui/controls/segmented-control.tsx';
import { RequestResultLink } from '#web/budgets/request-result-link.tsx';
import { Dialog } from '#web/ui/overlays/dialog.tsx';
import { Skeleton } from '#web/ui/display/skeleton.tsx';
import { RequestDetails, requestTitle } from './request-details.tsx';
import { RequestDecisionForm } from './request-decision-form.tsx';

const PAGE_SIZE = 20;
const SHOWN = [
  { value: 'pending', label: 'Waiting' },
  { value: 'all', label: 'All' },
] as const;

/** What people ask for: more of a budget, or an order above the limit. Nothing while nobody ever asked. */
export function RequestList() {
  const [shown, setShown] = useState<(typeof SHOWN)[number]['value']>('pending');
  const [openId, setOpenId] = useState<string | null>(null);
  const ever = useInfiniteQuery(requestsQuery({}, 1));
  const list = useInfiniteQuery(requestsQuery(shown === 'all' ? {} : { status: 'pending' }, PAGE_SIZE));
  const problem = queryError(list);
  const requests = list.data?.pages.flatMap(({ data }) => data);
  if (!ever.data?.pages[0]?.data.length && !problem) return null;
  return (
    <section aria-labelledby="requests">
      <div className="mb-3 flex flex-wrap items-center justify-between gap-3">
        <h2 id="requests" className="text-md font-semibold">
          Requests
        </h2>
        <SegmentedControl label="Requests shown" size="sm" value={shown} onChange={setShown} options={SHOWN} />
      </div>
      {requests?.length ? (
        <ul
          aria-labelledby="requests"
          className="divide-y divide-line overflow-hidden rounded-md border border-line bg-surface"
        >
          {requests.map((request) => (
            <RequestRow key={request.id} request={request} onOpen={() => setOpenId(request.id)} />
          ))}
        </ul>
      ) : requests ? (
        <p className="text-sm text-ink-2">No request waits for a decision.</p>
      ) : problem ? (
        <LoadError what="Requests" error={problem} onRetry={() => void list.refetch()} />
      ) : null}
      {list.hasNextPage ? (
        <Button size="sm" className="mt-3" busy={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
          Show more
        </Button>
      ) : null}
      {openId ? <RequestDialog id={openId} onClose={() => setOpenId(null)} /> : null}
    </section>
  );
}

function RequestRow({ request, onOpen }: { request: ApprovalRequest; onOpen: () => void }) {
  const canDecide = useCan('reviews.decide');
  const { status, note, created_by, created_at } = request;
  const title = describeRequest(request);
  const { label, tone } = REQUEST_STATUS_LABELS[status];
  const decides = canDecide && status === 'pending';
  return (
    <li className="flex flex-wrap items-center gap-x-6 gap-y-3 px-4 py-3">
      <div className="min-w-0 flex-[1_1_18rem]">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <span className="font-medium wrap-anywhere">{title}</span>
          {status === 'pending' ? null : <Badge tone={tone}>{label}</Badge>}
        </p>
        <p dir="auto" className="mt-0.5 line-clamp-2 text-sm wrap-anywhere text-ink-2">
          {note}
        </p>
        <p className="mt-1 text-xs text-ink-3">
          <bdi>{created_by.name}</bdi> · <RelativeTime at={created_at} />
        </p>
      </div>
      <Button size="sm" variant={decides ? 'primary' : 'secondary'} onClick={onOpen}>
        {decides ? 'Decide…' : 'Details'}
        <span className="sr-only">: {title}</span>
      </Button>
    </li>
  );
}

/** Shows a request, and lets those decide it who may. */
function RequestDialog({ id, onClose }: { id: string; onClose: () => void }) {
  const query = useQuery(requestQuery(id));
  const canDecide = useCan('reviews.decide');
  const { data: request } = query;
  if (request?.status === 'pending' && canDecide) return <RequestDecisionForm request={request} onClose={onClose} />;
  return (
    <Dialog
      open
      reading
      title={request ? requestTitle(request) : 'Request'}
      description={request ? describeRequest(request) : undefined}
      onClose={onClose}
      footer={
        <>
          {request ? <RequestResultLink request={request} size="md" /> : null}
          <Button onClick={onClose}>Close</Button>
        </>
      }
    >
      {request ? (
        <RequestDetails request={request} />
      ) : (
        <LoadingOrError query={query} what="This request">
          <Skeleton className="h-48 w-full" />
        </LoadingOrError>
      )}
    </Dialog>
  );
}
