import { Link } from '@tanstack/react-router';
import type { WorkflowRun } from '#contract/resources/workflow-run.ts';
import { identifyCreator } from '#web/collections/creator.tsx';
import { RequestNotice } from '#web/budgets/request-notice.tsx';
import { useCan } from '#web/api/queries/permissions.ts';
import { buttonClass } from '#web/ui/controls/button.tsx';
import { Callout } from '#web/ui/display/callout.tsx';

const link = 'text-ink underline underline-offset-2';

export function RunNotices({ run }: { run: WorkflowRun }) {
  const { id, status, error, retry_of, retried_by = null, cancel_reason, canceled_by } = run;
  const kept = run.steps.filter((step) => step.kept).length;
  return (
    <div className="flex flex-col gap-3 empty:hidden">
      {retried_by ? null : <RequestNotice matches={(order) => order.retry_of === id} />}
      {retry_of ? (
        <Callout title="Retry of an earlier run">
          {kept > 0
            ? `${kept === 1 ? '1 step was' : `${kept} steps were`} kept and not charged again. `
            : 'No steps could be kept. '}
          <RunLink id={retry_of}>Open earlier run</RunLink>
        </Callout>
      ) : null}
      {status === 'failed' ? (
        <Callout tone="bad" title="Run failed">
          <p>{error?.message ?? 'One of the steps failed.'}</p>
          <p className="mt-1">
            Finished steps are kept.{' '}
            {retried_by ? null : 'A retry continues from here as a new run. You won’t pay again for finished steps.'}
          </p>
        </Callout>
      ) : null}
      {status === 'canceled' ? (
        <Callout title={`Canceled${canceled_by ? ` by ${identifyCreator(canceled_by).name}` : ''}`}>
          {cancel_reason ? <p className="whitespace-pre-wrap">“{cancel_reason}”</p> : null}
          <p>Reserved money was released. Finished steps are kept.</p>
        </Callout>
      ) : null}
      {status === 'manual_review' ? <ReviewNotice run={run} /> : null}
      {retried_by ? (
        <Callout title="This run was retried">
          <RunLink id={retried_by}>Open new run</RunLink>
        </Callout>
      ) : null}
    </div>
  );
}

function RunLink({ id, children }: { id: string; children: string }) {
  return (
    <Link to="/workflows/runs/$id" params={{ id }} search={{}} className={link}>
      {children}
    </Link>
  );
}

function ReviewNotice({ run: { steps } }: { run: WorkflowRun }) {
  const canDecide = useCan('reviews.decide');
  const reviewStep = steps
    .flatMap((step) => [step, ...(step.items ?? [])])
    .find(({ status, generation_id }) => status === 'manual_review' && generation_id !== null);
  return (
    <Callout
      tone="amber"
      title="Needs review"
      action={
        canDecide && reviewStep?.generation_id ? (
          <Link
            to="/review/$id"
            params={{ id: reviewStep.generation_id }}
            className={buttonClass({ size: 'sm', variant: 'primary' })}
          >
            Review
          </Link>
        ) : null
      }
    >
      {canDecide
        ? 'A step needs review. The run continues after your decision.'
        : 'A step needs review. You don’t need to do anything: the run continues after the decision.'}
    </Callout>
  );
}
