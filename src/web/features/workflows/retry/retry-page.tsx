import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useEffect, useMemo } from 'react';
import type { WorkflowRun } from '#contract/resources/workflow-run.ts';
import type { WorkflowEstimate, WorkflowStarter } from '#contract/resources/workflow-starter.ts';
import type { InputContract } from '#contract/task.ts';
import { readWorkflowInput } from '#contract/workflows/workflow-input.ts';
import { valuesFromInput } from '#web/forms/models/switch-input.ts';
import { queryError } from '#web/api/api-errors.ts';
import { retryEstimateQuery, runQuery, useRetryRun } from '#web/api/queries/workflow-runs.ts';
import { starterQuery } from '#web/api/queries/workflow-starters.ts';
import { BackLink } from '#web/ui/back-link.tsx';
import { RequireSession } from '#web/api/session/require-session.tsx';
import { LoadError } from '#web/api/load-error.tsx';
import { buttonClass } from '#web/ui/controls/button.tsx';
import { Callout } from '#web/ui/display/callout.tsx';
import { OrderBar } from '../order-bar.tsx';
import { OrderForm } from '../order-form.tsx';
import { canRetryRun } from '../run/run-actions.tsx';
import { workflowRunName } from '../runs/run-labels.ts';
import { StarterSkeleton, starterColumns } from '../starter/starter-skeleton.tsx';
import { useDraftForm } from '../starter/use-draft-form.ts';
import { useWorkflowQuote } from '../starter/use-workflow-quote.ts';
import { failedInputs, changedInputs } from './retry-inputs.ts';
import { priceLabel } from '#web/forms/money/price-lines.ts';
import { Badge } from '#web/ui/display/badge.tsx';
import { Section } from '#web/ui/display/section.tsx';
import { TASK_ICONS } from '../steps/task-icons.ts';

const route = getRouteApi('/workflows/runs/$id/retry');

export function RetryPage() {
  const { id } = route.useParams();
  return (
    <div className="w-full max-w-7xl px-4 pt-5 pb-6 md:px-8 md:pt-8">
      <title>Change inputs and retry · Emulsion</title>
      <BackLink to="/workflows/runs/$id" params={{ id }} search={{}}>
        Back to the run
      </BackLink>
      <h1 tabIndex={-1} className="text-xl font-semibold tracking-[-0.015em] outline-none">
        Change inputs and retry
      </h1>
      <RequireSession to="retry this run" permission="work.create">
        <Loaded key={id} id={id} />
      </RequireSession>
    </div>
  );
}

function Loaded({ id }: { id: string }) {
  const run = useQuery(runQuery(id));
  const slug = run.data?.starter_slug ?? '';
  const starter = useQuery({ ...starterQuery(slug), enabled: run.data !== undefined });
  const schema = starter.data && JSON.stringify(starter.data.input_schema);
  // The form is stable as long as the schema is.
  const read = useMemo(() => (schema ? readWorkflowInput(JSON.parse(schema)) : null), [schema]);
  if (run.data && !canRetryRun(run.data)) return <NotPossible run={run.data} />;
  if (run.data && starter.data && read?.ok)
    return <Retry run={run.data} starter={starter.data} contract={read.contract} />;
  if (read && !read.ok) return <LoadError what="The form" error={null} onRetry={() => void starter.refetch()} />;
  const failed = queryError(run) ? run : queryError(starter) ? starter : null;
  if (!failed) return <StarterSkeleton />;
  return (
    <LoadError
      what={failed === run ? 'This run' : 'The form'}
      error={queryError(failed)}
      onRetry={() => void failed.refetch()}
    />
  );
}

function NotPossible({ run: { id, retried_by } }: { run: WorkflowRun }) {
  const next = retried_by ?? id;
  return (
    <div className="mt-6">
      <Callout
        title={retried_by ? 'This run was retried already' : 'Only a run that failed or was canceled can be retried'}
        action={
          <Link to="/workflows/runs/$id" params={{ id: next }} search={{}} className={buttonClass({ size: 'sm' })}>
            {retried_by ? 'Open the new run' : 'Open the run'}
          </Link>
        }
      />
    </div>
  );
}

interface RetryProps {
  run: WorkflowRun;
  starter: WorkflowStarter;
  contract: InputContract;
}

function Retry({ run, starter, contract }: RetryProps) {
  const { field } = route.useSearch();
  const form = useDraftForm(`retry/${run.id}`, contract, () => valuesFromInput(contract, run.input));
  const quote = useWorkflowQuote(form, (input) => retryEstimateQuery(run.id, changedInputs(run.input, input)), null);
  const { cause, message } = useMemo(() => failedInputs(run, starter, contract), [run, starter, contract]);
  const { mutateAsync } = useRetryRun();
  const prepare = (values: Record<string, unknown>) => {
    const { id } = run;
    const inputs = changedInputs(run.input, values);
    return {
      order: { type: 'workflow_run_retry' as const, workflow_run_id: id, inputs },
      send: (idempotencyKey: string) => mutateAsync({ id, inputs, idempotency_key: idempotencyKey }),
    };
  };
  useEffect(() => {
    if (cause && message) form.setServerErrors([{ path: `input.${cause.name}`, message }]);
  }, [form, cause, message]);
  return (
    <>
      <p className="mt-1 max-w-3xl text-ink-2 wrap-anywhere">
        {workflowRunName(run)}: the new run keeps finished steps that the changes do not affect.
      </p>
      <div className={starterColumns}>
        <div className="flex min-w-0 flex-col gap-5">
          {run.error ? (
            <Callout tone="amber" title="Why the run failed">
              {run.error.message}
            </Callout>
          ) : null}
          <OrderForm form={form} label="Inputs" action="Retry" name={`retry/${run.id}`} field={field} prepare={prepare}>
            {(state) => (
              <OrderBar {...state} quote={quote} action="Retry" isRequested={({ retry_of }) => retry_of === run.id} />
            )}
          </OrderForm>
        </div>
        <RetrySteps run={run} estimate={quote.estimate} />
      </div>
    </>
  );
}

interface RetryStepsProps {
  run: WorkflowRun;
  estimate: WorkflowEstimate | null;
}

function RetrySteps({ run: { steps }, estimate }: RetryStepsProps) {
  const estimates = new Map((estimate?.steps ?? []).map((step) => [step.key, step]));
  const kept = estimate?.steps.filter((step) => step.kept).length ?? 0;
  return (
    <Section title="Steps of the new run">
      <p className="text-sm text-ink-2">
        {estimate ? keptSentence(kept) : 'Finished steps are kept where the inputs they use stay the same.'}
      </p>
      <ol aria-label="Steps of the new run" className="mt-3 divide-y divide-line rounded-md border border-line">
        {steps.map(({ key, name, task, status }) => {
          const Icon = TASK_ICONS[task];
          const step = estimates.get(key);
          return (
            <li key={key} className="flex min-h-12 items-center gap-3 px-3 py-2 text-sm">
              <Icon aria-hidden="true" className="size-4.5 flex-none stroke-[1.5] text-ink-3" />
              <span className="min-w-0 flex-1 font-medium wrap-anywhere">{name}</span>
              {step ? <Outcome step={step} finished={status === 'succeeded'} /> : null}
            </li>
          );
        })}
      </ol>
    </Section>
  );
}

function Outcome({ step, finished }: { step: WorkflowEstimate['steps'][number]; finished: boolean }) {
  if (step.kept) return <Badge tone="good">Kept</Badge>;
  if (step.maximum_count === 0) return <span className="text-ink-3">Skipped</span>;
  return (
    <span className="text-right text-ink-2 tabular-nums">
      {finished ? 'Runs again' : 'Runs'} · <span className="text-ink">{priceLabel(step)}</span>
    </span>
  );
}

function keptSentence(kept: number): string {
  if (kept === 0) return 'No finished step is kept: all steps run again.';
  return `${kept === 1 ? 'One finished step is' : `${kept} finished steps are`} kept and cost${kept === 1 ? 's' : ''} nothing.`;
}
