import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ApiError } from '#web/api/api-errors.ts';
import { ChangeBudgetButton } from '#web/budgets/change-budget-button.tsx';
import { missingFundsMessage } from '#web/forms/missing-funds-message.ts';
import { billingSummaryQuery } from '#web/api/queries/billing-summary.ts';
import { meQuery } from '#web/api/queries/me.ts';
import { useCan } from '#web/api/queries/permissions.ts';
import { buttonClass } from '#web/ui/button.tsx';
import { Callout } from '#web/ui/callout.tsx';

interface StartProblemProps {
  error: unknown;
  minimum_usd: string | undefined;
}

/** Whether the request may have reached the service. */
export const isOutcomeUnknown = (error: unknown): boolean => !(error instanceof ApiError) || error.status >= 500;

export function StartProblem({ error, minimum_usd }: StartProblemProps) {
  if (error instanceof ApiError && error.budget)
    return (
      <Callout tone="bad" title="Over budget" action={<ChangeBudgetButton id={error.budget.id} size="sm" />}>
        {error.message} Nothing was started or charged. Your inputs are still here.
      </Callout>
    );
  if (error instanceof ApiError && error.code === 'insufficient_balance')
    return <FundsProblem minimum_usd={minimum_usd} />;
  const message = error instanceof Error ? error.message : 'The request could not be sent.';
  return (
    <Callout tone="bad" title={isOutcomeUnknown(error) ? 'No response yet' : 'Run not started'}>
      {message}{' '}
      {isOutcomeUnknown(error)
        ? 'Safe to retry: you won’t be charged twice.'
        : 'Nothing was charged. Your inputs are still here.'}
    </Callout>
  );
}

function FundsProblem({ minimum_usd }: { minimum_usd: string | undefined }) {
  const funds = useQuery({ ...billingSummaryQuery(), refetchOnMount: 'always' });
  const me = useQuery(meQuery);
  const admin = useCan('funds.manage');
  return (
    <Callout
      tone="bad"
      title="Not enough funds"
      action={
        admin ? (
          <Link to="/billing" className={buttonClass({ size: 'sm' })}>
            Add credit
          </Link>
        ) : null
      }
    >
      <span className="tabular-nums">{missingFundsMessage(minimum_usd, funds.data)}</span>{' '}
      {admin
        ? 'Nothing was started or charged. Your inputs are still here. Add credit, then try again.'
        : `Nothing was started or charged. Your inputs are still here. Ask an admin of ${me.data?.organization.name ?? 'your organization'} to add credit.`}
    </Callout>
  );
}
