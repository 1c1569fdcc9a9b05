import type { WorkflowRunStep } from '#contract/resources/workflow-run.ts';
import type { StepStatus } from '#contract/workflow-status.ts';
import { cx } from '#web/ui/cx.ts';
import { formatStepCount } from './run-labels.ts';

const statusClasses = {
  waiting: 'bg-press',
  queued: 'bg-press',
  running: 'bg-amber',
  succeeded: 'bg-good',
  failed: 'bg-bad',
  canceled: 'bg-edge',
  manual_review: 'bg-review',
  skipped: 'border border-dashed border-line-strong',
  stopped: 'bg-press',
} satisfies Record<StepStatus, string>;

/** How a run's steps fare, at a glance: one mark each, and how many are done. */
export function StepStrip({ steps }: { steps: readonly Pick<WorkflowRunStep, 'key' | 'status'>[] }) {
  return (
    <span className="flex items-center gap-2">
      <span aria-hidden="true" className="flex max-w-24 gap-0.5">
        {steps.map(({ key, status }) => (
          <span key={key} className={cx('h-2 w-3 min-w-0.5 shrink rounded-[2px]', statusClasses[status])} />
        ))}
      </span>
      <span aria-hidden="true" className="text-xs whitespace-nowrap text-ink-3 tabular-nums @max-3xl:hidden">
        {formatStepCount(steps).replace(/ steps? done$/, '')}
      </span>
      <span className="sr-only">{formatStepCount(steps)}</span>
    </span>
  );
}
