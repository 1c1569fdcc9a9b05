import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Hourglass } from 'lucide-react';
import { useEffect } from 'react';
import type { ApprovalRequest } from '#contract/resources/request.ts';
import { AskButton } from '#web/budgets/ask-button.tsx';
import { WithdrawButton } from '#web/budgets/withdraw-button.tsx';
import { LoadError } from '#web/api/load-error.tsx';
import { queryError } from '#web/api/api-errors.ts';
import { invalidate } from '#web/api/api-query.ts';
import { BILLING_READS, GENERATION_LISTS } from '#web/api/queries/stale-endpoints.ts';
import { requestQuery } from '#web/api/queries/requests.ts';
import { togetherGenerationsQuery } from '#web/api/queries/batches.ts';
import { Button, buttonClass } from '#web/ui/controls/button.tsx';
import { EmptyState } from '#web/ui/display/empty-state.tsx';
import { Money } from '#web/api/money.tsx';
import { RelativeTime } from '#web/ui/display/relative-time.tsx';
import { Skeleton } from '#web/ui/display/skeleton.tsx';
import { orderOfRun } from './order-of-run.ts';
import { removeRun, type Run, updateRun } from './runs.ts';

interface RequestedRunProps {
  run: Run;
  request_id: string;
  /** All runs that were sent together; empty for a single one. */
  group?: readonly Run[];
}

/** A run that waits for an approval. It shows its result once it is approved. */
export function RequestedRun({ run, request_id, group = [] }: RequestedRunProps) {
  const client = useQueryClient();
  const query = useQuery(requestQuery(request_id));
  const { data: request } = query;
  const { id } = run;
  const generationId = request?.generation_id ?? null;
  useEffect(() => {
    if (generationId === null) return;
    updateRun(id, { generation_id: generationId });
    void invalidate(client, GENERATION_LISTS, ...BILLING_READS);
  }, [client, id, generationId]);
  useTogetherResults(group, request?.batch_id ?? null);
  const problem = queryError(query);
  if (request && generationId === null && request.batch_id == null)
    return <Waiting run={run} request={request} group={group} />;
  if (problem) return <LoadError what="Your request" error={problem} onRetry={() => void query.refetch()} />;
  return <Skeleton className="h-64 w-full rounded-md" />;
}

/** Assigns the generations of an approved batch to its runs. */
function useTogetherResults(group: readonly Run[], batchId: string | null): void {
  const client = useQueryClient();
  const { data: ids } = useQuery({ ...togetherGenerationsQuery(batchId ?? ''), enabled: batchId !== null });
  useEffect(() => {
    if (!ids || batchId === null) return;
    for (const [index, run] of group.entries())
      if (run.generation_id === null) updateRun(run.id, { generation_id: ids[index] ?? null, batch_id: batchId });
    void invalidate(client, GENERATION_LISTS, ...BILLING_READS);
  }, [client, group, batchId, ids]);
}

function Waiting({ run, request, group }: { run: Run; request: ApprovalRequest; group: readonly Run[] }) {
  const { status, note, reason, amount_usd, created_at, decided_by } = request;
  const remove = (
    <Button
      variant="ghost"
      onClick={() => {
        for (const { id } of [run, ...group]) removeRun(id);
      }}
    >
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
            ask={{ kind: 'order', order: orderOfRun(run, group) }}
            onAsked={({ id }) => {
              for (const each of [run, ...group]) updateRun(each.id, { request_id: id });
            }}
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
