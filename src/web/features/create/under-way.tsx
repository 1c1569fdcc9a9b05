import { useEffect, useState, type CSSProperties, type ReactNode } from 'react';
import { inputContract, isModelId, isTaskId } from '#contract/catalog.ts';
import type { Run } from '#web/features/create/runs.ts';
import { isRatio, ratioOf } from '#web/forms/option-measure.ts';
import { Progress } from '#web/ui/progress.tsx';

/** Width ÷ height that an order asks for; null where it leaves that open. */
function askedRatio({ task, model, input }: Run['order']['body']): number | null {
  if (!isTaskId(task)) return null;
  const contract = inputContract(task, model && isModelId(model) ? model : null);
  const field = contract?.fields.find(isRatio);
  return field ? ratioOf(input[field.name]) : null;
}

function useSecondsSince(at_ms: number): number {
  const [now_ms, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  return Math.max(0, Math.floor((now_ms - at_ms) / 1000));
}

/** The empty frame of what is being made, in the shape it will have, with how far it is. */
export function UnderWay({
  run,
  label,
  progress,
  action,
}: {
  run: Run;
  label: string;
  /** 0 to 1, null while unknown. */
  progress: number | null;
  action?: ReactNode;
}) {
  const seconds = useSecondsSince(run.started_at_ms);
  const ratio = askedRatio(run.order.body) ?? 4 / 3;
  const shape: CSSProperties = { aspectRatio: ratio, maxWidth: `min(100%, calc(62dvh * ${ratio}))` };
  return (
    <div
      style={shape}
      className="frame-marks mx-auto flex min-h-64 w-full flex-col items-center justify-center gap-3 bg-sunken px-4"
    >
      <p role="status" className="text-sm font-medium">
        {label}
        {progress === null ? '' : ` ${Math.floor(progress * 100)}%`}
      </p>
      <Progress value={progress} label={label} className="max-w-56" />
      <p aria-hidden="true" className="text-xs text-ink-3 tabular-nums">
        {seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`}
      </p>
      {action}
    </div>
  );
}
