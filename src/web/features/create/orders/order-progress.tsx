import { useEffect, useState, type ReactNode } from 'react';
import { EmptyFrame } from '#web/features/create/feed/empty-frame.tsx';
import { expectedRequestRatio } from '#web/features/create/feed/expected-ratio.ts';
import { orderOf, type ResultItem, startedAtMs } from '#web/features/create/feed/feed-entries.ts';
import { Progress } from '#web/ui/display/progress.tsx';

function useSecondsSince(timeMs: number): number {
  const [nowMs, setNowMs] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNowMs(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  return Math.max(0, Math.floor((nowMs - timeMs) / 1000));
}

/** What a stopped process means for work that it ran; null while all is well. */
function useInterruption(progress: number | null, isUnreachable: boolean): string | null {
  const [highest, setHighest] = useState(0);
  if (progress !== null && progress > highest) setHighest(progress);
  if (isUnreachable) return 'The service does not respond. Your order is kept and continues as soon as it is back.';
  return (progress ?? 0) < highest ? 'It was interrupted and has started again. You pay for it once.' : null;
}

export function OrderProgress({
  item,
  label,
  progress,
  details = [],
  isUnreachable = false,
  maxHeight,
  action,
}: {
  item: ResultItem;
  label: string;
  /** 0 to 1, null while unknown. */
  progress: number | null;
  /** Short lines from the provider. */
  details?: readonly string[];
  /** The service that runs it does not respond. */
  isUnreachable?: boolean | undefined;
  maxHeight?: string | undefined;
  action?: ReactNode;
}) {
  const seconds = useSecondsSince(startedAtMs(item));
  const interruption = useInterruption(progress, isUnreachable);
  return (
    <EmptyFrame ratio={expectedRequestRatio(orderOf(item))} maxHeight={maxHeight} className="bg-sunken">
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
      <p aria-hidden="true" className="text-xs text-ink-3 tabular-nums">
        {seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`}
      </p>
      {action}
    </EmptyFrame>
  );
}
