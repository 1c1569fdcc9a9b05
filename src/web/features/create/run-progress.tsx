import { useEffect, useState, type ReactNode } from 'react';
import { EmptyFrame } from './empty-frame.tsx';
import { expectedRequestRatio } from './expected-ratio.ts';
import type { Run } from './runs.ts';
import { Progress } from '#web/ui/progress.tsx';

function useSecondsSince(started_at_ms: number): number {
  const [now_ms, setNowMs] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNowMs(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  return Math.max(0, Math.floor((now_ms - started_at_ms) / 1000));
}

export function RunProgress({
  run,
  label,
  progress,
  max_height,
  action,
}: {
  run: Run;
  label: string;
  /** 0 to 1, null while unknown. */
  progress: number | null;
  max_height?: string | undefined;
  action?: ReactNode;
}) {
  const seconds = useSecondsSince(run.started_at_ms);
  return (
    <EmptyFrame ratio={expectedRequestRatio(run.order.body)} max_height={max_height} className="bg-sunken">
      <p aria-live="polite" className="text-sm font-medium tabular-nums">
        {label}
        {progress === null ? '' : ` ${Math.floor(progress * 100)}%`}
      </p>
      <Progress value={progress} label={label} className="max-w-56" />
      <p aria-hidden="true" className="text-xs text-ink-3 tabular-nums">
        {seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`}
      </p>
      {action}
    </EmptyFrame>
  );
}
