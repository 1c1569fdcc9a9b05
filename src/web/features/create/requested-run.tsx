import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Hourglass } from 'lucide-react';
import { useEffect } from 'react';
import type { ApprovalRequest } from '#contract/resources/request.ts';
import { AskButton } from '#web/budgets/ask-button.tsx';
import { WithdrawButton } from '#web/budgets/withdraw-button.tsx';
import { LoadError } from '#web/api/load-error.tsx';
import { queryError } from '#web/api/queries/query-error.ts';
import { queryKeys } from '#web/api/queries/query-keys.ts';
import { requestQuery } from '#web/api/queries/requests.ts';
import { Button, buttonClass } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { Money } from '#web/ui/money.tsx';
import { RelativeTime } from '#web/ui/relative-time.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { orderOfRun } from './order-of-run.ts';
import { removeRun, type Run, updateRun } from './runs.ts';

/** A run that waits for an approval. It shows its result once it is approved. */
export function RequestedRun({ run, request_id }: { run: Run; request_id: string }) {
  const client = useQueryClient();
  const query = useQuery(requestQuery(request_id));
  const { data: request } = query;
  const { id } = run;
  const generation_id = request?.generation_id ?? null;
  useEffect(() => {
    if (generation_id === null) return;
    updateRun(id, { generation_id });
    void client.invalidateQueries({ queryKey: queryKeys.generations.heads });
    void client.invalidateQueries({ queryKey: queryKeys.billing.all });
  }, [client, id, generation_id]);
  const problem = queryError(query);
  if (request && generation_id === null) return <Waiting run={run} request={request} />;
  if (problem) return <LoadError what="Your request" error={problem} onRetry={() => void query.refetch()} />;
  return <Skeleton className="h-64 w-full rounded-md" />;
}

function Waiting({ run, request }: { run: Run; request: ApprovalRequest }) {
  const { status, note, reason, amount_usd, created_at, decided_by } = request;
  const remove = (
    <Button variant="ghost" onClick={() => removeRun(run.id)}>
      Remove
    </Button>
  );
  if (status === 'pending')
    return (
      <EmptyState
        icon={<Hourglass aria-hidden="true" />}
        title="Waiting for approval"
        actions={
          <>
            <Link to="/billing" className={buttonClass()}>
              Your requests
            </Link>
            <WithdrawButton request={request} size="md" />
          </>
        }
      >
        <p>
          <Money amount_usd={amount_usd} />, asked for <RelativeTime at={created_at} />. It starts here once it is
          approved.
        </p>
        <p dir="auto" className="mt-1 wrap-anywhere">
          “{note}”
        </p>
      </EmptyState>
    );
  if (status === 'canceled')
    return (
      <EmptyState title="Request withdrawn" actions={<>{remove}</>}>
        Nothing was started or charged. Your settings are still here.
      </EmptyState>
    );
  return (
    <EmptyState
      title="Not approved"
      actions={
        <>
          <AskButton
            ask={{ kind: 'order', order: orderOfRun(run) }}
            onAsked={({ id }) => updateRun(run.id, { request_id: id })}
          />
          {remove}
        </>
      }
    >
      {reason ? (
        <p dir="auto" className="wrap-anywhere">
          {decided_by ? `${decided_by.name}: ` : null}
          {reason}
        </p>
      ) : null}
      <p className="mt-1">Nothing was started or charged. Your settings are still here.</p>
    </EmptyState>
  );
}
