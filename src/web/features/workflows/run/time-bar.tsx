import type { StepStatus } from '#contract/workflow-status.ts';
import { cx } from '#web/ui/cx.ts';
import type { TimeBarExtent } from './time-scale.ts';

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

export interface TimeBarProps {
  bar: TimeBarExtent;
  status: StepStatus;
  progress: number | null | undefined;
}

export function TimeBar({ bar: extent, status, progress }: TimeBarProps) {
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
