import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { RotateCcw, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { AskButton } from '#web/budgets/ask-button.tsx';
import { ChangeBudgetButton } from '#web/budgets/change-budget-button.tsx';
import { missingFundsMessage } from '#web/forms/money/missing-funds-message.ts';
import { orderOfRun } from './order-of-run.ts';
import { removeRun, type Run, type RunProblem, updateRun } from './runs.ts';
import { scaleQuote } from '#web/features/create/price/quote.ts';
import { retryTogether } from '#web/features/create/variations/start-variations.ts';
import { retryRun } from './restart-run.ts';
import { billingSummaryQuery } from '#web/api/queries/billing.ts';
import { estimateQuery } from '#web/api/queries/catalog.ts';
import { meQuery } from '#web/api/queries/me.ts';
import { useCan } from '#web/api/queries/permissions.ts';
import { Button, buttonClass, type ButtonVariant } from '#web/ui/controls/button.tsx';
import { ErrorState } from '#web/ui/display/empty-state.tsx';

interface ProblemRuns {
  run: Run;
  /** All runs that were sent together; empty for a single one. */
  group: readonly Run[];
}

/** @param group the runs that were sent together */
export function RunProblemView({
  run,
  problem,
  group = [],
}: {
  run: Run;
  problem: RunProblem;
  group?: readonly Run[];
}) {
  const runs = { run, group };
  if (problem.budget) return <BudgetProblem {...runs} message={problem.message} budget={problem.budget} />;
  if (problem.code === 'approval_required') return <ApprovalProblem {...runs} message={problem.message} />;
  if (problem.code === 'insufficient_balance') return <FundsProblem {...runs} />;
  return (
    <ErrorState
      title={problem.unsure ? 'No response yet' : 'Not started'}
      offline={problem.code === 'network'}
      actions={<RetryAndRemove {...runs} variant="primary" />}
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

interface LimitProblemProps extends ProblemRuns {
  message: string;
}

/** Later than this, somebody comes back to it. */
const JUST_STARTED_MS = 10_000;

function ApprovalProblem({ run, group, message }: LimitProblemProps) {
  const [isNew] = useState(() => Date.now() - run.startedAtMs < JUST_STARTED_MS);
  return (
    <ErrorState
      title="Needs approval"
      actions={
        <>
          <AskButton
            initiallyOpen={isNew}
            ask={{ kind: 'order', order: orderOfRun(run, group) }}
            onAsked={({ id }) => {
              for (const each of [run, ...group]) updateRun(each.id, { problem: null, request_id: id });
            }}
          />
          <RetryAndRemove run={run} group={group} />
        </>
      }
    >
      <p className="wrap-anywhere">{message}</p>
      <p className="mt-1">Nothing was started or charged. Your settings are still here.</p>
    </ErrorState>
  );
}

function BudgetProblem({
  run,
  group,
  message,
  budget,
}: LimitProblemProps & { budget: NonNullable<RunProblem['budget']> }) {
  return (
    <ErrorState
      title="Over budget"
      actions={
        <>
          <ChangeBudgetButton id={budget.id} variant="primary" />
          <AskButton ask={{ kind: 'budget', budget_id: budget.id, amount_usd: budget.needed_usd }} />
          <RetryAndRemove run={run} group={group} />
        </>
      }
    >
      <p className="wrap-anywhere">{message}</p>
      <p className="mt-1">Nothing was started or charged. Your settings are still here.</p>
    </ErrorState>
  );
}

function FundsProblem({ run, group }: ProblemRuns) {
  const funds = useQuery({ ...billingSummaryQuery(), refetchOnMount: 'always' });
  const price = useQuery(estimateQuery(run.order.body));
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
          <RetryAndRemove run={run} group={group} />
        </>
      }
    >
      <p className="tabular-nums">
        {missingFundsMessage(price.data && scaleQuote(price.data, group.length || 1).amount_usd, funds.data)}
      </p>
      <p className="mt-1">
        {isAdmin
          ? 'Nothing was started or charged. Your settings are still here. Add credit, then try again.'
          : `Nothing was started or charged. Your settings are still here. Ask an admin of ${me.data?.organization.name ?? 'your organization'} to add credit.`}
      </p>
    </ErrorState>
  );
}

function RetryAndRemove({ run, group, variant }: ProblemRuns & { variant?: ButtonVariant }) {
  const client = useQueryClient();
  return (
    <>
      <Button
        variant={variant}
        icon={<RotateCcw aria-hidden="true" className="size-4" />}
        onClick={() => (group.length > 0 ? retryTogether(client, group) : retryRun(client, run))}
      >
        Try again
      </Button>
      <Button
        variant="ghost"
        icon={<Trash2 aria-hidden="true" className="size-4" />}
        onClick={() => removeAll([run, ...group])}
      >
        Remove
      </Button>
    </>
  );
}

const removeAll = (runs: readonly Run[]) => {
  for (const { id } of runs) removeRun(id);
};
