import { isActive } from '#contract/statuses.ts';
import type { WorkflowRun } from '#contract/resources/workflow-run.ts';
import { createTimeScale } from './time-scale.ts';
import { waterfallRowGrid, WaterfallRow } from './waterfall-row.tsx';
import { cx } from '#web/ui/cx.ts';
import { useEffect, useState } from 'react';

const TICK_MS = 1000;

/** Returns the time, updated every second while `ticking` and the page is visible. */
function useNow(ticking: boolean): number {
  const [now_ms, setNow] = useState(() => Date.now());
  useEffect(() => {
    if (!ticking) return;
    const tick = () => {
      if (document.visibilityState === 'visible') setNow(Date.now());
    };
    tick();
    const timer = setInterval(tick, TICK_MS);
    return () => clearInterval(timer);
  }, [ticking]);
  return now_ms;
}

export function Waterfall({ run, openKey }: { run: WorkflowRun; openKey: string | undefined }) {
  const { id, steps, status, created_at, started_at, completed_at, updated_at } = run;
  // The service's clock can be ahead.
  const now_ms = Math.max(useNow(isActive(status)), Date.parse(updated_at ?? created_at));
  const end_ms = completed_at ? Date.parse(completed_at) : isActive(status) ? now_ms : lastEventTime(run);
  const scale = createTimeScale(Date.parse(started_at ?? created_at), end_ms);
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
            <WaterfallRow run_id={id} step={step} steps={steps} scale={scale} now_ms={now_ms} openKey={openKey} />
          </li>
        ))}
      </ol>
    </div>
  );
}

/** The time of the last event of a run that is neither active nor finished. */
const lastEventTime = ({ steps, created_at }: WorkflowRun) =>
  Math.max(...[created_at, ...steps.map(({ completed_at }) => completed_at ?? created_at)].map((at) => Date.parse(at)));
