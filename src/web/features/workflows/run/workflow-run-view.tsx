import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import type { WorkflowRun } from '#contract/resources/workflow-run.ts';
import { useCreatorFact } from '#web/collections/creator.tsx';
import { StaleNotice } from '#web/api/list-states.tsx';
import { useInvalidateOnChange } from '#web/api/use-poll-active-rows.ts';
import { BILLING_READS } from '#web/api/queries/stale-endpoints.ts';
import { starterQuery } from '#web/api/queries/workflow-starters.ts';
import { CopyButton } from '#web/ui/controls/copy-button.tsx';
import { ExactTime, RelativeTime } from '#web/ui/display/relative-time.tsx';
import { Disclosure } from '#web/ui/controls/disclosure.tsx';
import { lazyComponent } from '#web/ui/lazy-component.tsx';
import { Skeleton } from '#web/ui/display/skeleton.tsx';
import { DescriptionList, Section } from '#web/ui/display/section.tsx';
import { StatusBadge } from '#web/ui/display/status-badge.tsx';
import { formatDuration } from '#web/ui/formats.ts';
import { formatStepCount, workflowRunName } from '../runs/run-labels.ts';
import { RunActions } from './run-actions.tsx';
import { RunCost } from './run-cost.tsx';
import { RunNotices } from './run-notices.tsx';
import { RunResults } from './run-results.tsx';
import { readWorkflowInput } from '#contract/workflows/workflow-input.ts';
import { describeFields } from '#web/forms/inputs/describe-input.ts';
import { InputRows } from '#web/forms/inputs/input-section.tsx';

const RunTimeline = lazyComponent(async () => (await import('./run-timeline.tsx')).RunTimeline);

interface WorkflowRunViewProps {
  run: WorkflowRun;
  openKey: string | undefined;
  problem: unknown;
  onRetry: () => void;
}

export function WorkflowRunView({ run, openKey, problem, onRetry }: WorkflowRunViewProps) {
  const { starter_slug, status, progress, created_at } = run;
  const creator = useCreatorFact(run.created_by);
  useRefreshBilling(run);
  // The steps come first until there is a result. The timeline never closes while somebody watches.
  const [isInitiallyOpen] = useState(status !== 'succeeded' || openKey !== undefined);
  return (
    <>
      <title>{`${workflowRunName(run)} · Run · Emulsion`}</title>
      <header className="mb-6 flex flex-wrap items-start gap-x-6 gap-y-3">
        <div className="min-w-0 flex-[1_1_18rem]">
          <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <h1 tabIndex={-1} className="text-xl font-semibold tracking-[-0.015em] wrap-anywhere outline-none">
              {workflowRunName(run)}
            </h1>
            <StatusBadge status={status} progress={progress ?? null} />
          </div>
          <p className="mt-0.5 text-ink-2">
            Started <RelativeTime at={created_at} /> ·{' '}
            <Link
              to="/workflows/$slug"
              params={{ slug: starter_slug }}
              search={{}}
              className="underline underline-offset-2 hover:text-ink"
            >
              Open workflow
            </Link>
          </p>
        </div>
        <RunActions run={run} />
      </header>
      <div className="flex flex-col gap-8">
        {problem ? <StaleNotice title="This run may be out of date" error={problem} onRetry={onRetry} /> : null}
        <RunNotices run={run} />
        <RunResults run={run} />
        <div>
          <Disclosure
            summary="Timeline"
            aside={<span className="text-ink-3">{formatStepCount(run.steps)}</span>}
            open={isInitiallyOpen}
            className="border-t border-line pt-2"
          >
            <RunTimeline run={run} openKey={openKey} fallback={<Skeleton className="h-40" />} />
          </Disclosure>
          <RunCost run={run} />
        </div>
        <div className="grid gap-x-12 gap-y-8 @3xl:grid-cols-2">
          <RunInput run={run} />
          <Section title="Details">
            <DescriptionList rows={factRows(run, creator)} />
          </Section>
        </div>
      </div>
    </>
  );
}

function factRows(
  { id, created_at, started_at, completed_at }: WorkflowRun,
  creator: ReturnType<typeof useCreatorFact>,
) {
  const lasted = formatDuration(started_at, completed_at);
  return [
    ...creator,
    { name: 'Started', value: <ExactTime at={created_at} /> },
    ...(completed_at ? [{ name: 'Finished', value: <ExactTime at={completed_at} /> }] : []),
    ...(lasted ? [{ name: 'Duration', value: lasted }] : []),
    {
      name: 'ID',
      value: (
        <span className="-my-1 flex items-center gap-1">
          <code className="min-w-0 truncate font-mono text-xs select-all">{id}</code>
          <CopyButton text={id} label="Copy ID" />
        </span>
      ),
    },
  ];
}

/** Refreshes the balance when a step starts or finishes. */
function useRefreshBilling({ steps, status }: WorkflowRun) {
  const state = [status, ...steps.map((step) => `${step.status}${step.amount_usd}`)].join();
  useInvalidateOnChange(state, BILLING_READS);
}

/** Labels the inputs by the current form; if the workflow is deleted, by field name. */
function RunInput({ run: { starter_slug, input } }: { run: WorkflowRun }) {
  const { data: starter, isPending } = useQuery(starterQuery(starter_slug));
  const rows = useMemo(() => {
    const read = starter ? readWorkflowInput(starter.input_schema) : null;
    return describeFields(read?.ok ? read.contract.fields : [], input);
  }, [starter, input]);
  return isPending ? null : <InputRows rows={rows} />;
}
