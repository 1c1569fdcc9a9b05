import { useQuery } from '@tanstack/react-query';
import { LoadError } from '#web/api/load-error.tsx';
import { useCan } from '#web/api/queries/permissions.ts';
import { queryError } from '#web/api/queries/query-error.ts';
import { requestQuery } from '#web/api/queries/requests.ts';
import { describeRequest } from '#web/budgets/describe-request.ts';
import { RequestResultLink } from '#web/budgets/request-result-link.tsx';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { RequestDetails, requestTitle } from './request-details.tsx';
import { RequestDecisionForm } from './request-decision-form.tsx';

/** Shows a request, and lets those decide it who may. */
export function RequestDialog({ id, onClose }: { id: string; onClose: () => void }) {
  const query = useQuery(requestQuery(id));
  const canDecide = useCan('reviews.decide');
  const { data: request } = query;
  const problem = queryError(query);
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
      ) : problem ? (
        <LoadError what="This request" error={problem} onRetry={() => void query.refetch()} />
      ) : (
        <Skeleton className="h-48 w-full" />
      )}
    </Dialog>
  );
}
