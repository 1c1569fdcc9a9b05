import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { RotateCcw, Trash2 } from 'lucide-react';
import { AskButton } from '#web/budgets/ask-button.tsx';
import { ChangeBudgetButton } from '#web/budgets/change-budget-button.tsx';
import { missingFundsMessage } from '#web/forms/missing-funds-message.ts';
import { orderOfRun } from './order-of-run.ts';
import { removeRun, type Run, type RunProblem, updateRun } from './runs.ts';
import { retryRun } from './start-generation-run.ts';
import { billingSummaryQuery } from '#web/api/queries/billing-summary.ts';
import { estimateQuery } from '#web/api/queries/estimate.ts';
import { meQuery } from '#web/api/queries/me.ts';
import { useCan } from '#web/api/queries/permissions.ts';
import { Button, buttonClass, type ButtonVariant } from '#web/ui/button.tsx';
import { ErrorState } from '#web/ui/empty-state.tsx';

export function RunProblemView({ run, problem }: { run: Run; problem: RunProblem }) {
  if (problem.budget) return <BudgetProblem run={run} message={problem.message} budget={problem.budget} />;
  if (problem.code === 'approval_required') return <ApprovalProblem run={run} message={problem.message} />;
  if (problem.code === 'insufficient_balance') return <FundsProblem run={run} />;
  return (
    <ErrorState
      title={problem.unsure ? 'No response yet' : 'Not started'}
      offline={problem.code === 'network'}
      actions={<RetryAndRemove run={run} variant="primary" />}
    >
      <p>{problem.message}</p>
      <p className="mt-1">
        {problem.unsure
          ? 'Safe to retry: you won’t be charged twice.'
          : 'Nothing was charged. Your settings are still here.'}
      </p>
    </ErrorState>
  );
}

interface LimitProblemProps {
  run: Run;
  message: string;
}

function ApprovalProblem({ run, message }: LimitProblemProps) {
  return (
    <ErrorState
      title="Needs approval"
      actions={
        <>
          <AskButton
            ask={{ kind: 'order', order: orderOfRun(run) }}
            onAsked={({ id }) => updateRun(run.id, { problem: null, request_id: id })}
          />
          <RetryAndRemove run={run} />
        </>
      }
    >
      <p className="wrap-anywhere">{message}</p>
      <p className="mt-1">Nothing was started or charged. Your settings are still here.</p>
    </ErrorState>
  );
}

function BudgetProblem({ run, message, budget }: LimitProblemProps & { budget: NonNullable<RunProblem['budget']> }) {
  return (
    <ErrorState
      title="Over budget"
      actions={
        <>
          <ChangeBudgetButton id={budget.id} variant="primary" />
          <AskButton ask={{ kind: 'budget', budget_id: budget.id, amount_usd: budget.needed_usd }} />
          <RetryAndRemove run={run} />
        </>
      }
    >
      <p className="wrap-anywhere">{message}</p>
      <p className="mt-1">Nothing was started or charged. Your settings are still here.</p>
    </ErrorState>
  );
}

function FundsProblem({ run }: { run: Run }) {
  const funds = useQuery({ ...billingSummaryQuery(), refetchOnMount: 'always' });
  const price = useQuery(estimateQuery(run.order.body));
  const me = useQuery(meQuery);
  const is_admin = useCan('funds.manage');
  return (
    <ErrorState
      title="Not enough funds"
      actions={
        <>
          {is_admin ? (
            <Link to="/billing" className={buttonClass({ variant: 'primary' })}>
              Add credit
            </Link>
          ) : null}
          <RetryAndRemove run={run} />
        </>
      }
    >
      <p className="tabular-nums">{missingFundsMessage(price.data?.amount_usd, funds.data)}</p>
      <p className="mt-1">
        {is_admin
          ? 'Nothing was started or charged. Your settings are still here. Add credit, then try again.'
          : `Nothing was started or charged. Your settings are still here. Ask an admin of ${me.data?.organization.name ?? 'your organization'} to add credit.`}
      </p>
    </ErrorState>
  );
}

function RetryAndRemove({ run, variant }: { run: Run; variant?: ButtonVariant }) {
  const client = useQueryClient();
  return (
    <>
      <Button
        variant={variant}
        icon={<RotateCcw aria-hidden="true" className="size-4" />}
        onClick={() => retryRun(client, run)}
      >
        Try again
      </Button>
      <Button variant="ghost" icon={<Trash2 aria-hidden="true" className="size-4" />} onClick={() => removeRun(run.id)}>
        Remove
      </Button>
    </>
  );
}
