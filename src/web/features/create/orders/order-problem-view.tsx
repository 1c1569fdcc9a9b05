import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { RotateCcw, Trash2 } from 'lucide-react';
import { useState } from 'react';
import type { BudgetExceeded } from '#contract/api/errors.ts';
import { AskButton } from '#web/budgets/ask-button.tsx';
import { ChangeBudgetButton } from '#web/budgets/change-budget-button.tsx';
import { missingFundsMessage } from '#web/forms/money/missing-funds-message.ts';
import {
  approvalOf,
  awaitApproval,
  type OrderProblem,
  type PendingOrder,
  removeOrders,
  retryOrders,
} from './pending-orders.ts';
import { scaleQuote } from '#web/features/create/price/quote.ts';
import { billingSummaryQuery } from '#web/api/queries/billing.ts';
import { estimateQuery } from '#web/api/queries/catalog.ts';
import { meQuery } from '#web/api/queries/me.ts';
import { useCan } from '#web/api/queries/permissions.ts';
import { Button, buttonClass, type ButtonVariant } from '#web/ui/controls/button.tsx';
import { ErrorState } from '#web/ui/display/empty-state.tsx';

interface ProblemProps {
  /** Several where they were sent together. */
  orders: readonly PendingOrder[];
  problem: OrderProblem;
}

export function OrderProblemView({ orders, problem }: ProblemProps) {
  if (problem.budget) return <BudgetProblem orders={orders} problem={problem} budget={problem.budget} />;
  if (problem.code === 'approval_required') return <ApprovalProblem orders={orders} problem={problem} />;
  if (problem.code === 'insufficient_balance') return <FundsProblem orders={orders} />;
  return (
    <ErrorState
      title={problem.isUnsure ? 'No response yet' : 'Not started'}
      offline={problem.code === 'network'}
      actions={<RetryAndRemove orders={orders} variant="primary" />}
    >
      <p>{problem.message}</p>
      <p className="mt-1">
        {problem.isUnsure
          ? 'Safe to retry: you won’t be charged twice.'
          : 'Nothing was charged. Your settings are still here.'}
      </p>
    </ErrorState>
  );
}

/** Later than this, somebody comes back to it. */
const JUST_STARTED_MS = 10_000;

function ApprovalProblem({ orders, problem }: ProblemProps) {
  const [isNew] = useState(() => orders.some(({ startedAtMs }) => Date.now() - startedAtMs < JUST_STARTED_MS));
  return (
    <ErrorState
      title="Needs approval"
      actions={
        <>
          <AskButton
            initiallyOpen={isNew}
            ask={{ kind: 'order', order: approvalOf(orders) }}
            onAsked={({ id }) => awaitApproval(orders, id)}
          />
          <RetryAndRemove orders={orders} />
        </>
      }
    >
      <p className="wrap-anywhere">{problem.message}</p>
      <p className="mt-1">Nothing was started or charged. Your settings are still here.</p>
    </ErrorState>
  );
}

function BudgetProblem({ orders, problem, budget }: ProblemProps & { budget: BudgetExceeded }) {
  return (
    <ErrorState
      title="Over budget"
      actions={
        <>
          <ChangeBudgetButton id={budget.id} variant="primary" />
          <AskButton ask={{ kind: 'budget', budget_id: budget.id, amount_usd: budget.needed_usd }} />
          <RetryAndRemove orders={orders} />
        </>
      }
    >
      <p className="wrap-anywhere">{problem.message}</p>
      <p className="mt-1">Nothing was started or charged. Your settings are still here.</p>
    </ErrorState>
  );
}

function FundsProblem({ orders }: Pick<ProblemProps, 'orders'>) {
  const funds = useQuery({ ...billingSummaryQuery(), refetchOnMount: 'always' });
  const body = orders[0]?.body ?? { task: '', input: {} };
  const price = useQuery(estimateQuery(body));
  const me = useQuery(meQuery);
  const isAdmin = useCan('funds.manage');
  return (
    <ErrorState
      title="Not enough funds"
      actions={
        <>
          {isAdmin ? (
            <Link to="/billing" className={buttonClass({ variant: 'primary' })}>
              Add credit
            </Link>
          ) : null}
          <RetryAndRemove orders={orders} />
        </>
      }
    >
      <p className="tabular-nums">
        {missingFundsMessage(price.data && scaleQuote(price.data, orders.length).amount_usd, funds.data)}
      </p>
      <p className="mt-1">
        {isAdmin
          ? 'Nothing was started or charged. Your settings are still here. Add credit, then try again.'
          : `Nothing was started or charged. Your settings are still here. Ask an admin of ${me.data?.organization.name ?? 'your organization'} to add credit.`}
      </p>
    </ErrorState>
  );
}

function RetryAndRemove({ orders, variant }: Pick<ProblemProps, 'orders'> & { variant?: ButtonVariant }) {
  const client = useQueryClient();
  return (
    <>
      <Button
        variant={variant}
        icon={<RotateCcw aria-hidden="true" className="size-4" />}
        onClick={() => retryOrders(client, orders)}
      >
        Try again
      </Button>
      <Button
        variant="ghost"
        icon={<Trash2 aria-hidden="true" className="size-4" />}
        onClick={() => removeOrders(orders)}
      >
        Remove
      </Button>
    </>
  );
}
