import { useQuery } from '@tanstack/react-query';
import type { ApprovalRequest } from '#contract/resources/request.ts';
import { describeRequest } from '#web/budgets/describe-request.ts';
import { pendingRequestsQuery, useDecideRequest } from '#web/api/queries/requests.ts';
import { Button } from '#web/ui/button.tsx';
import { RelativeTime } from '#web/ui/relative-time.tsx';
import { showToast } from '#web/ui/toast-store.ts';

/** What people ask for: more of a budget, or an order above the limit. Nothing while no request waits. */
export function RequestList() {
  const { data: requests = [] } = useQuery(pendingRequestsQuery);
  if (requests.length === 0) return null;
  return (
    <section aria-labelledby="requests" className="mb-8">
      <h2 id="requests" className="mb-3 text-md font-semibold">
        Requests
      </h2>
      <ul className="divide-y divide-line overflow-hidden rounded-md border border-line bg-surface">
        {requests.map((request) => (
          <RequestRow key={request.id} request={request} />
        ))}
      </ul>
    </section>
  );
}

function RequestRow({ request }: { request: ApprovalRequest }) {
  const { mutate, isPending } = useDecideRequest();
  const title = describeRequest(request);
  const decide = (decision: 'approve' | 'reject') =>
    mutate(
      { id: request.id, body: { decision } },
      {
        onSuccess: ({ status, reason }) => {
          if (status === 'approved') showToast({ title: 'Approved', detail: title, tone: 'good' });
          else showToast({ title: 'Rejected', detail: reason ?? title });
        },
        onError: ({ message }) => showToast({ title: 'Not decided', detail: message, tone: 'bad' }),
      },
    );
  return (
    <li className="flex flex-wrap items-center gap-x-6 gap-y-3 px-4 py-3">
      <div className="min-w-0 flex-[1_1_18rem]">
        <p className="font-medium wrap-anywhere">{title}</p>
        <p dir="auto" className="mt-0.5 text-sm wrap-anywhere text-ink-2">
          {request.note}
        </p>
        <p className="mt-1 text-xs text-ink-3">
          {request.created_by.name} · <RelativeTime at={request.created_at} />
        </p>
      </div>
      <div className="flex gap-2">
        <Button size="sm" disabled={isPending} onClick={() => decide('reject')}>
          Reject<span className="sr-only">: {title}</span>
        </Button>
        <Button size="sm" variant="primary" disabled={isPending} onClick={() => decide('approve')}>
          Approve<span className="sr-only">: {title}</span>
        </Button>
      </div>
    </li>
  );
}
