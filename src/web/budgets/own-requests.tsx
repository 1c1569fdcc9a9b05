import { useQuery } from '@tanstack/react-query';
import { ownRequestsQuery, useCancelRequest } from '#web/api/queries/requests.ts';
import { Button } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { RelativeTime } from '#web/ui/relative-time.tsx';
import { showToast } from '#web/ui/toast-store.ts';
import { describeRequest } from './describe-request.ts';

/** One's own requests that wait for a decision. Nothing while there are none. */
export function OwnRequests() {
  const { data: requests = [] } = useQuery(ownRequestsQuery);
  const { mutate, isPending } = useCancelRequest();
  if (requests.length === 0) return null;
  const cancel = (id: string) =>
    mutate(id, { onError: ({ message }) => showToast({ title: 'Not canceled', detail: message, tone: 'bad' }) });
  return (
    <Card title="Waiting for approval">
      <ul className="divide-y divide-line">
        {requests.map((request) => {
          const title = describeRequest(request);
          return (
            <li key={request.id} className="flex flex-wrap items-center gap-x-4 gap-y-2 py-2 first:pt-0 last:pb-0">
              <div className="min-w-0 flex-[1_1_12rem]">
                <p className="font-medium wrap-anywhere">{title}</p>
                <p className="text-sm wrap-anywhere text-ink-3">
                  {request.note} · <RelativeTime at={request.created_at} />
                </p>
              </div>
              <Button size="sm" disabled={isPending} onClick={() => cancel(request.id)}>
                Cancel<span className="sr-only">: {title}</span>
              </Button>
            </li>
          );
        })}
      </ul>
    </Card>
  );
}
