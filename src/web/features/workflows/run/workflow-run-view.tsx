import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useMemo, useEffect, useState } from 'react';
import type { WorkflowRun } from '#contract/resources/workflow-run.ts';
import { useCreatorFact } from '#web/api/creator.tsx';
import { StaleNotice } from '#web/api/list-states.tsx';
import { useInvalidateOnChange } from '#web/api/use-poll-active-rows.ts';
import { BILLING_READS } from '#web/api/queries/stale-endpoints.ts';
import { useHasStarters, starterQuery } from '#web/api/queries/workflow-starters.ts';
import { CopyButton } from '#web/ui/copy-button.tsx';
import { ExactTime, RelativeTime } from '#web/ui/relative-time.tsx';
import { DescriptionList, Section } from '#web/ui/section.tsx';
import { StatusBadge } from '#web/ui/status-badge.tsx';
import { formatDuration } from '#web/ui/formats.ts';
import { workflowRunName, formatStepCount } from '../runs/run-labels.ts';
import { RunActions } from './run-actions.tsx';
import { RunCost } from './run-cost.tsx';
import { RunNotices } from './run-notices.tsx';
import { RunResults } from './run-results.tsx';
import { readWorkflowInput } from '#contract/workflow-input.ts';
import { describeFields } from '#web/forms/inputs/describe-input.ts';
import { InputRows } from '#web/forms/inputs/input-section.tsx';
import { lazyComponent } from '#web/ui/lazy-component.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { isActive } from '#contract/statuses.ts';
import { createTimeScale } from './time-scale.ts';
import { waterfallRowGrid, WaterfallRow } from './waterfall-row.tsx';
import { cx } from '#web/ui/cx.ts';

const RunGraph = lazyComponent(async () => (await import('./run-graph.tsx')).RunGraph);

export interface WorkflowRunViewProps {
  run: WorkflowRun;
  openKey: string | undefined;
  problem: unknown;
  onRetry: () => void;
}

export function WorkflowRunView({ run, openKey, problem, onRetry }: WorkflowRunViewProps) {
  const { starter_slug, status, progress, created_at } = run;
  const hasStarters = useHasStarters();
  const creator = useCreatorFact(run.created_by);
  useRefreshBilling(run);
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
            Started <RelativeTime at={created_at} />
            {hasStarters ? (
              <>
                {' · '}
                <Link
                  to="/workflows/$slug"
                  params={{ slug: starter_slug }}
                  search={{}}
                  className="underline underline-offset-2 hover:text-ink"
                >
                  Open workflow
                </Link>
              </>
            ) : null}
          </p>
        </div>
        <RunActions run={run} />
      </header>
      <div className="flex flex-col gap-8">
        {problem ? <StaleNotice title="This run may be out of date" error={problem} onRetry={onRetry} /> : null}
        <RunNotices run={run} />
        <RunResults run={run} />
        <RunSteps run={run} openKey={openKey} />
        <div className="grid gap-x-12 gap-y-8 @3xl:grid-cols-2">
          <RunCost run={run} />
          <div className="flex min-w-0 flex-col gap-8">
            <RunInput run={run} />
            <Section title="Details">
              <DescriptionList rows={factRows(run, creator)} />
            </Section>
          </div>
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

/** Shows the step graph and the timeline; narrow windows show the timeline alone. */
function RunSteps({ run, openKey }: { run: WorkflowRun; openKey: string | undefined }) {
  return (
    <Section title="Steps" aside={<span className="text-sm text-ink-3">{formatStepCount(run.steps)}</span>}>
      <div className="mb-6 hidden @lg:block">
        <RunGraph run={run} openKey={openKey} fallback={<Skeleton className="h-24" />} />
      </div>
      <Waterfall run={run} openKey={openKey} />
    </Section>
  );
}

const TICK_MS = 1000;

/** Returns the time, updated every second while `ticking` and the page is visible. */
function useNow(ticking: boolean): number {
  const [nowMs, setNow] = useState(() => Date.now());
  useEffect(() => {
    if (!ticking) return;
    const tick = () => {
      if (document.visibilityState === 'visible') setNow(Date.now());
    };
    tick();
    const timer = setInterval(tick, TICK_MS);
    return () => clearInterval(timer);
  }, [ticking]);
  return nowMs;
}

function Waterfall({ run, openKey }: { run: WorkflowRun; openKey: string | undefined }) {
  const { id, steps, status, created_at, started_at, completed_at, updated_at } = run;
  // The service's clock can be ahead.
  const nowMs = Math.max(useNow(isActive(status)), Date.parse(updated_at ?? created_at));
  const endMs = completed_at ? Date.parse(completed_at) : isActive(status) ? nowMs : lastEventTime(run);
  const scale = createTimeScale(Date.parse(started_at ?? created_at), endMs);
  return (
    <div className="@container">
      <div aria-hidden="true" className={cx(waterfallRowGrid, 'hidden h-7 text-2xs text-ink-3 @2xl:grid')}>
        <div className="relative h-4 [grid-area:bar]">
          {scale.ticks.map(({ share, label }) => (
            <span
              key={label}
              className={cx('absolute top-0 whitespace-nowrap tabular-nums', share > 0.97 && '-translate-x-full')}
              style={{ left: `${share * 100}%` }}
            >
              {label}
            </span>
          ))}
        </div>
        <span className="text-right [grid-area:took]">Duration</span>
        <span className="text-right [grid-area:cost]">Cost</span>
      </div>
      <ol aria-label="Step timeline" className="border-t border-line">
        {steps.map((step) => (
          <li key={step.key}>
            <WaterfallRow run_id={id} step={step} steps={steps} scale={scale} nowMs={nowMs} openKey={openKey} />
          </li>
        ))}
      </ol>
    </div>
  );
}

/** The time of the last event of a run that is neither active nor finished. */
const lastEventTime = ({ steps, created_at }: WorkflowRun) =>
  Math.max(...[created_at, ...steps.map(({ completed_at }) => completed_at ?? created_at)].map((at) => Date.parse(at)));
