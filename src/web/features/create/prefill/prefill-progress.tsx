import { Link } from '@tanstack/react-router';
import { buttonClass } from '#web/ui/controls/button.tsx';
import { Progress } from '#web/ui/display/progress.tsx';

/** Opens the form with its draft, without what the address asks for. */
export function SkipLink() {
  return (
    <Link to="/create/{-$task}/{-$model}" params={(current) => current} search={{}} className={buttonClass()}>
      Continue without it
    </Link>
  );
}

/** @param value 0 to 1, null while unknown */
export function PrefillProgress({ label, value }: { label: string; value: number | null }) {
  return (
    <div className="frame-marks flex flex-col items-center gap-3 px-6 py-12 text-center">
      <output className="font-medium tabular-nums">
        {label}
        {value === null ? '' : ` ${Math.floor(value * 100)}%`}
      </output>
      <Progress value={value} label={label} className="max-w-56" />
      <p className="max-w-80 text-sm text-balance text-ink-2">The form opens with it. Your draft is still here.</p>
      <SkipLink />
    </div>
  );
}
