import { Link } from '@tanstack/react-router';
import type { WorkflowRun } from '#contract/resources/workflow-run.ts';
import { useIsOperator } from '#web/api/queries/me.ts';
import { buttonClass } from '#web/ui/button.tsx';
import { Callout } from '#web/ui/callout.tsx';

const link = 'text-ink underline underline-offset-2';

/** What has to be said of a run before all else: why it ended, what it waits for, and which runs belong to it. */
export function RunNotices({ run }: { run: WorkflowRun }) {
  const { status, error, retry_of, retried_by = null, cancel_reason, canceled_by } = run;
  const kept = run.steps.filter((step) => step.kept).length;
  return (
    <div className="flex flex-col gap-3 empty:hidden">
      {retry_of ? (
        <Callout title="This run tries an earlier one again">
          {kept > 0
            ? `${kept === 1 ? 'One step is' : `${kept} steps are`} kept from it and cost nothing here. `
            : 'Nothing of it could be kept. '}
          <RunLink id={retry_of}>Open the earlier run</RunLink>
        </Callout>
      ) : null}
      {status === 'failed' ? (
        <Callout tone="bad" title="It could not be finished">
          <p>{error?.message ?? 'One of its steps failed.'}</p>
          <p className="mt-1">
            What is finished is kept.{' '}
            {retried_by
              ? null
              : 'Trying again goes on from where it failed, as a new run: what succeeded is not paid for again.'}
          </p>
        </Callout>
      ) : null}
      {status === 'canceled' ? (
        <Callout title={`Canceled${canceled_by ? ` with the key ${canceled_by.name}` : ''}`}>
          {cancel_reason ? <p className="whitespace-pre-wrap">“{cancel_reason}”</p> : null}
          <p>What was held for steps at work came back. What is finished is kept.</p>
        </Callout>
      ) : null}
      {status === 'manual_review' ? <ReviewNotice run={run} /> : null}
      {retried_by ? (
        <Callout title="It was tried again">
          <RunLink id={retried_by}>Open the new run</RunLink>
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
  const may_decide = useIsOperator();
  const waiting = steps
    .flatMap((step) => [step, ...(step.items ?? [])])
    .find(({ status, generation_id }) => status === 'manual_review' && generation_id !== null);
  return (
    <Callout
      tone="amber"
      title="It waits for a person’s decision"
      action={
        may_decide && waiting?.generation_id ? (
          <Link
            to="/review/$id"
            params={{ id: waiting.generation_id }}
            className={buttonClass({ size: 'sm', variant: 'primary' })}
          >
            Decide
          </Link>
        ) : null
      }
    >
      {may_decide
        ? 'A step is in review. Once that is decided, the run goes on by itself.'
        : 'You have nothing to do: once somebody who runs this studio has decided, the run goes on by itself.'}
    </Callout>
  );
}
