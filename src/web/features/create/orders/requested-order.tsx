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
import { approvalOf, awaitApproval, completeOrders, type PendingOrder, removeOrders } from './pending-orders.ts';

interface RequestedOrderProps {
  /** Several where they were sent together. */
  orders: readonly PendingOrder[];
  requestId: string;
}

/** An order that waits for an approval. Its generation takes its place once it is approved. */
export function RequestedOrder({ orders, requestId }: RequestedOrderProps) {
  const query = useQuery(requestQuery(requestId));
  const { data: request } = query;
  useApproved(orders, request);
  const problem = queryError(query);
  if (request && request.generation_id == null && request.batch_id == null)
    return <Waiting orders={orders} request={request} />;
  if (problem) return <LoadError what="Your request" error={problem} onRetry={() => void query.refetch()} />;
  return <Skeleton className="h-64 w-full rounded-md" />;
}

function useApproved(orders: readonly PendingOrder[], request: ApprovalRequest | undefined): void {
  const client = useQueryClient();
  const generationId = request?.generation_id ?? null;
  const batchId = request?.batch_id ?? null;
  const { data: together } = useQuery({ ...togetherGenerationsQuery(batchId ?? ''), enabled: batchId !== null });
  useEffect(() => {
    const ids = generationId === null ? (together?.filter((id) => id !== null) ?? []) : [generationId];
    if (ids.length < orders.length) return;
    completeOrders(orders, ids);
    void invalidate(client, GENERATION_LISTS, ...BILLING_READS);
  }, [client, orders, generationId, together]);
}

function Waiting({ orders, request }: { orders: readonly PendingOrder[]; request: ApprovalRequest }) {
  const { status, note, reason, amount_usd, created_at, decided_by } = request;
  const remove = (
    <Button variant="ghost" onClick={() => removeOrders(orders)}>
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
            ask={{ kind: 'order', order: approvalOf(orders) }}
            onAsked={({ id }) => awaitApproval(orders, id)}
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
