import { useEffect, useState } from 'react';
import type { WorkflowRun, WorkflowRunStep } from '#contract/resources/workflow-run.ts';
import { isActive, type StepStatus } from '#contract/statuses.ts';
import { Money } from '#web/api/money.tsx';
import { AssetThumbnail } from '#web/media/outputs/asset-thumbnail.tsx';
import { Badge } from '#web/ui/display/badge.tsx';
import { cx } from '#web/ui/cx.ts';
import { formatDuration } from '#web/ui/formats.ts';
import { StepBadge, formatItemProgress, stepStatusMessage } from '../steps/step-status.tsx';
import { TASK_ICONS } from '../steps/task-icons.ts';
import { stepFiles } from './read-results.ts';
import { StepLink } from './step-link.tsx';
import { createTimeScale, timeBarExtent, type TimeScale } from './time-scale.ts';

interface RunTimelineProps {
  run: WorkflowRun;
  openKey: string | undefined;
}

/** The steps of a run over time. */
export function RunTimeline({ run, openKey }: RunTimelineProps) {
  const { steps, status, created_at, started_at, completed_at, updated_at } = run;
  // The service's clock can be ahead.
  const nowMs = Math.max(useNow(isActive(status)), Date.parse(updated_at ?? created_at));
  const endMs = completed_at ? Date.parse(completed_at) : isActive(status) ? nowMs : lastEventTime(run);
  const scale = createTimeScale(Date.parse(started_at ?? created_at), endMs);
  return (
    <div className="@container">
      <div aria-hidden="true" className={cx(rowGrid, 'hidden h-7 text-2xs text-ink-3 @2xl:grid')}>
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
            <StepRow run={run} step={step} scale={scale} nowMs={nowMs} openKey={openKey} />
          </li>
        ))}
      </ol>
    </div>
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

/** The time of the last event of a run that is neither active nor finished. */
const lastEventTime = ({ steps, created_at }: WorkflowRun) =>
  Math.max(...[created_at, ...steps.map(({ completed_at }) => completed_at ?? created_at)].map((at) => Date.parse(at)));

/** Two lines in narrow containers, columns in wide ones. */
const rowGrid = cx(
  "grid items-center gap-x-3 px-1 [grid-template-areas:'name_cost'_'bar_took'] grid-cols-[minmax(0,1fr)_auto]",
  "@2xl:[grid-template-areas:'name_bar_took_cost'] @2xl:grid-cols-[minmax(11rem,18rem)_minmax(8rem,1fr)_4.5rem_4.5rem]",
);

interface StepRowProps extends RunTimelineProps {
  step: WorkflowRunStep;
  scale: TimeScale;
  nowMs: number;
}

/** Name, bar, duration and cost of a step. Its items are in the panel that it opens. */
function StepRow({ run, step, scale, nowMs, openKey }: StepRowProps) {
  const { key, name, task, status, progress, kept, started_at = null, completed_at = null, amount_usd } = step;
  const extent = kept ? null : timeBarExtent(scale, started_at, completed_at, nowMs);
  return (
    <div
      className={cx(
        rowGrid,
        'relative min-h-15 border-b border-line py-1.5 transition-colors hover:bg-hover has-[a:focus-visible]:bg-hover',
        key === openKey && 'bg-press! shadow-[inset_2px_0_0_var(--amber)]',
      )}
    >
      <div className="flex min-w-0 items-center gap-2.5 [grid-area:name]">
        <AssetThumbnail asset={stepFiles(step)[0]} icon={TASK_ICONS[task]} className="size-9 rounded-sm @2xl:size-10" />
        <div className="min-w-0 flex-1">
          <StepLink
            run_id={run.id}
            stepKey={key}
            openKey={openKey}
            className="block truncate text-sm font-medium outline-none after:absolute after:inset-0 after:-outline-offset-2 focus-visible:after:outline-2 focus-visible:after:outline-focus"
          >
            {name}
          </StepLink>
          <span className="mt-0.5 flex flex-wrap items-center gap-x-1.5 gap-y-1 text-xs text-ink-3 tabular-nums">
            <StepBadge status={status} progress={progress} />
            {kept ? <Badge tone="amber">Kept</Badge> : null}
            {formatItemProgress(step)}
          </span>
        </div>
      </div>
      <div className="min-w-0 pt-1.5 [grid-area:bar] @2xl:pt-0">
        {extent ? (
          <div aria-hidden="true" data-meter="" className="relative h-2.5 rounded-[3px] bg-hover">
            <div
              className={cx('absolute inset-y-0 overflow-hidden rounded-[3px]', BAR_CLASSES[status])}
              style={{ left: `${extent.left * 100}%`, width: `${extent.width * 100}%` }}
            >
              {status === 'running' ? (
                <div
                  className="size-full origin-left bg-amber transition-transform"
                  style={{ transform: `scaleX(${progress ?? 0})` }}
                />
              ) : null}
            </div>
          </div>
        ) : (
          <p className="text-xs text-ink-3">{stepStatusMessage(step, run.steps)}</p>
        )}
      </div>
      <p className="text-right text-xs text-ink-3 tabular-nums [grid-area:took] @2xl:text-sm">
        {kept ? null : formatDuration(started_at, completed_at)}
      </p>
      <p className="self-start pt-1 text-right text-sm [grid-area:cost] @2xl:self-center @2xl:pt-0">
        {amount_usd && !NEVER_CHARGED.has(status) ? (
          <Money amount_usd={amount_usd} />
        ) : (
          <span className="text-ink-3">–</span>
        )}
      </p>
    </div>
  );
}

const BAR_CLASSES = {
  waiting: 'bg-press',
  queued: 'bg-press',
  running: 'bg-amber/35',
  succeeded: 'bg-good',
  failed: 'bg-bad',
  canceled: 'bg-edge',
  manual_review: 'bg-review',
  skipped: 'bg-press',
  stopped: 'bg-press',
} satisfies Record<StepStatus, string>;

const NEVER_CHARGED: ReadonlySet<StepStatus> = new Set(['waiting', 'skipped', 'stopped']);
