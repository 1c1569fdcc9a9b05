import { useQuery } from '@tanstack/react-query';
import { useEffect, useState, type ReactNode } from 'react';
import { generationQuery } from '#web/api/queries/generations.ts';
import { EmptyFrame } from '#web/features/create/feed/empty-frame.tsx';
import { expectedRequestRatio } from '#web/features/create/feed/expected-ratio.ts';
import type { Run } from './runs.ts';
import { Progress } from '#web/ui/display/progress.tsx';

function useSecondsSince(startedAtMs: number): number {
  const [nowMs, setNowMs] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNowMs(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  return Math.max(0, Math.floor((nowMs - startedAtMs) / 1000));
}

/** What a stopped process means for work that it ran; null while all is well. */
function useInterruption({ generation_id }: Run, progress: number | null): string | null {
  const { failureReason } = useQuery({ ...generationQuery(generation_id ?? ''), enabled: generation_id !== null });
  const [highest, setHighest] = useState(0);
  if (progress !== null && progress > highest) setHighest(progress);
  if (failureReason && generation_id !== null)
    return 'The service does not respond. Your order is kept and continues as soon as it is back.';
  return (progress ?? 0) < highest ? 'It was interrupted and has started again. You pay for it once.' : null;
}

export function RunProgress({
  run,
  label,
  progress,
  details = [],
  hidesTime = false,
  maxHeight,
  action,
}: {
  run: Run;
  label: string;
  /** 0 to 1, null while unknown. */
  progress: number | null;
  /** Short lines from the provider. */
  details?: readonly string[];
  /** While a result is loaded that may be complete. */
  hidesTime?: boolean;
  maxHeight?: string | undefined;
  action?: ReactNode;
}) {
  const seconds = useSecondsSince(run.startedAtMs);
  const interruption = useInterruption(run, progress);
  return (
    <EmptyFrame ratio={expectedRequestRatio(run.order.body)} maxHeight={maxHeight} className="bg-sunken">
      <p aria-live="polite" className="text-sm font-medium tabular-nums">
        {label}
        {progress === null ? '' : ` ${Math.floor(progress * 100)}%`}
      </p>
      <Progress value={progress} label={label} className="max-w-56" />
      {interruption ? <output className="max-w-72 text-xs text-amber-text">{interruption}</output> : null}
      {details.map((line) => (
        <p key={line} className="line-clamp-2 max-w-72 text-xs wrap-anywhere text-ink-2">
          {line}
        </p>
      ))}
      {hidesTime ? null : (
        <p aria-hidden="true" className="text-xs text-ink-3 tabular-nums">
          {seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`}
        </p>
      )}
      {action}
    </EmptyFrame>
  );
}
