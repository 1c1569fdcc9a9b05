import { cx } from './cx.ts';

/** Renders a progress bar; `value` is 0 to 1, or null while it is unknown. */
export function Progress({ value, label, className }: { value: number | null; label: string; className?: string }) {
  return (
    <progress
      aria-label={label}
      max={1}
      value={value === null ? undefined : Math.min(1, Math.max(0, value))}
      className={cx('progress', className)}
    />
  );
}
