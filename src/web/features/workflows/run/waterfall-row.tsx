import { useState } from 'react';
import { ChevronRight } from 'lucide-react';
import type { WorkflowRunStep } from '#contract/resources/workflow-run.ts';
import { AssetThumbnail } from '#web/media/outputs/asset-thumbnail.tsx';
import { Badge } from '#web/ui/badge.tsx';
import { cx } from '#web/ui/cx.ts';
import { IconButton } from '#web/ui/icon-button.tsx';
import { Money } from '#web/api/money.tsx';
import { formatDuration } from '#web/ui/formats.ts';
import { StepBadge, formatItemProgress, stepStatusMessage } from '../steps/step-status.tsx';
import { TASK_ICONS } from '../steps/task-icons.ts';
import { stepFiles } from './read-results.ts';
import { StepLink } from './step-link.tsx';
import { timeBarExtent, type TimeScale, type TimeBarExtent } from './time-scale.ts';
import type { StepStatus } from '#contract/statuses.ts';

const statusClasses = {
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

interface TimeBarProps {
  bar: TimeBarExtent;
  status: StepStatus;
  progress: number | null | undefined;
}

function TimeBar({ bar: extent, status, progress }: TimeBarProps) {
  return (
    <div aria-hidden="true" data-meter="" className="relative h-2.5 rounded-[3px] bg-hover">
      <div
        className={cx('absolute inset-y-0 overflow-hidden rounded-[3px]', statusClasses[status])}
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
  );
}

/** Two lines in narrow containers, columns in wide ones. */
export const waterfallRowGrid = cx(
  "grid items-center gap-x-3 px-1 [grid-template-areas:'name_cost'_'bar_took'] grid-cols-[minmax(0,1fr)_auto]",
  "@2xl:[grid-template-areas:'name_bar_took_cost'] @2xl:grid-cols-[minmax(11rem,18rem)_minmax(8rem,1fr)_4.5rem_4.5rem]",
);

interface WaterfallRowProps {
  run_id: string;
  step: WorkflowRunStep;
  steps: readonly WorkflowRunStep[];
  scale: TimeScale;
  nowMs: number;
  openKey: string | undefined;
}

const stepDuration = (step: Pick<WorkflowRunStep, 'started_at' | 'completed_at'>) =>
  formatDuration(step.started_at ?? null, step.completed_at ?? null);

export function WaterfallRow({ run_id, step, steps, scale, nowMs, openKey }: WaterfallRowProps) {
  const [unfolded, setUnfolded] = useState(false);
  const { key, name, task, status, progress = null, kept, amount_usd, items, started_at, completed_at } = step;
  const bar = kept ? null : timeBarExtent(scale, started_at, completed_at, nowMs);
  const several = items && items.length > 0;
  return (
    <>
      <div
        className={cx(
          waterfallRowGrid,
          'relative min-h-15 border-b border-line py-1.5 transition-colors hover:bg-hover has-[a:focus-visible]:bg-hover',
          key === openKey && 'bg-press! shadow-[inset_2px_0_0_var(--amber)]',
        )}
      >
        <div className="flex min-w-0 items-center gap-2.5 [grid-area:name]">
          <AssetThumbnail
            asset={stepFiles(step)[0]}
            icon={TASK_ICONS[task]}
            className="size-9 rounded-sm @2xl:size-10"
          />
          <div className="min-w-0 flex-1">
            <StepLink
              run_id={run_id}
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
          {several ? (
            <IconButton
              size="sm"
              label={unfolded ? `Hide the items of ${name}` : `Show the items of ${name}`}
              aria-expanded={unfolded}
              icon={
                <ChevronRight
                  aria-hidden="true"
                  className={cx('size-4 transition-transform', unfolded && 'rotate-90')}
                />
              }
              onClick={() => setUnfolded(!unfolded)}
              className="z-1"
            />
          ) : null}
        </div>
        <div className="min-w-0 pt-1.5 [grid-area:bar] @2xl:pt-0">
          {bar ? (
            <TimeBar bar={bar} status={status} progress={progress} />
          ) : (
            <p className="text-xs text-ink-3">{stepStatusMessage(step, steps)}</p>
          )}
        </div>
        <p className="text-right text-xs text-ink-3 tabular-nums [grid-area:took] @2xl:text-sm">
          {kept ? null : stepDuration(step)}
        </p>
        <p className="self-start pt-1 text-right text-sm [grid-area:cost] @2xl:self-center @2xl:pt-0">
          <StepCost amount_usd={amount_usd} status={status} />
        </p>
      </div>
      {several && unfolded ? (
        <ul aria-label={`Items of ${name}`} className="border-b border-line bg-sunken">
          {items.map((item) => {
            const itemBar = item.kept ? null : timeBarExtent(scale, item.started_at, item.completed_at, nowMs);
            return (
              <li key={item.index} className={cx(waterfallRowGrid, 'min-h-9 py-1 text-sm')}>
                <span className="flex min-w-0 items-center gap-2 pl-3 [grid-area:name] @2xl:pl-12">
                  <span className="min-w-0 flex-1 truncate">{item.label ?? `Item ${item.index + 1}`}</span>
                  <StepBadge status={item.status} progress={item.progress} />
                </span>
                <span className="min-w-0 pl-3 [grid-area:bar] @2xl:pl-0">
                  {itemBar ? <TimeBar bar={itemBar} status={item.status} progress={item.progress} /> : null}
                </span>
                <span className="text-right text-xs text-ink-3 tabular-nums [grid-area:took] @2xl:text-sm">
                  {item.kept ? 'Kept' : stepDuration(item)}
                </span>
                <span className="text-right [grid-area:cost]">
                  <StepCost amount_usd={item.amount_usd} status={item.status} />
                </span>
              </li>
            );
          })}
        </ul>
      ) : null}
    </>
  );
}

const NEVER_CHARGED: ReadonlySet<WorkflowRunStep['status']> = new Set(['waiting', 'skipped', 'stopped']);

function StepCost({ amount_usd, status }: Pick<WorkflowRunStep, 'amount_usd' | 'status'>) {
  if (!amount_usd || NEVER_CHARGED.has(status)) return <span className="text-ink-3">–</span>;
  return <Money amount_usd={amount_usd} />;
}
