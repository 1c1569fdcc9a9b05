import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ApprovalRequest, OrderRequest } from '#contract/resources/request.ts';
import { ApiError } from '#web/api/api-errors.ts';
import { AskButton } from '#web/budgets/ask-button.tsx';
import { ChangeBudgetButton } from '#web/budgets/change-budget-button.tsx';
import { RequestNotice } from '#web/budgets/request-notice.tsx';
import { missingFundsMessage } from '#web/forms/money/missing-funds-message.ts';
import { billingSummaryQuery } from '#web/api/queries/billing.ts';
import { meQuery } from '#web/api/queries/me.ts';
import { useCan } from '#web/api/queries/permissions.ts';
import { useSession } from '#web/api/session/session.ts';
import { buttonClass } from '#web/ui/controls/button.tsx';
import { Callout } from '#web/ui/display/callout.tsx';

/** An order that did not start. */
export interface StartFailure {
  error: unknown;
  order: OrderRequest;
}

export interface StartNoticesProps {
  failure: StartFailure | null;
  minimum_usd: string | undefined;
  /** Whether a request for an approval is for the work on this page. */
  isRequested: (order: NonNullable<ApprovalRequest['order']>) => boolean;
  onAsked: () => void;
}

/** Why the last order did not start, and the one that waits for an approval. */
export function StartNotices({ failure, minimum_usd, isRequested, onAsked }: StartNoticesProps) {
  return (
    <>
      {failure ? <StartProblem {...failure} minimum_usd={minimum_usd} onAsked={onAsked} /> : null}
      {useSession() === 'signed_in' ? <RequestNotice matches={isRequested} /> : null}
    </>
  );
}

/** Whether the request may have reached the service. */
export const isOutcomeUnknown = (error: unknown): boolean => !(error instanceof ApiError) || error.status >= 500;

type StartProblemProps = StartFailure & Pick<StartNoticesProps, 'minimum_usd' | 'onAsked'>;

function StartProblem({ error, order, minimum_usd, onAsked }: StartProblemProps) {
  if (error instanceof ApiError && error.code === 'approval_required')
    return (
      <Callout
        tone="amber"
        title="Needs approval"
        action={<AskButton initiallyOpen ask={{ kind: 'order', order }} size="sm" onAsked={onAsked} />}
      >
        {error.message} Nothing was started or charged. Your inputs are still here.
      </Callout>
    );
  if (error instanceof ApiError && error.budget)
    return (
      <Callout
        tone="bad"
        title="Over budget"
        action={
          <>
            <ChangeBudgetButton id={error.budget.id} size="sm" />
            <AskButton
              ask={{ kind: 'budget', budget_id: error.budget.id, amount_usd: error.budget.needed_usd }}
              size="sm"
              onAsked={onAsked}
            />
          </>
        }
      >
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
