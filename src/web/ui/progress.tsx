import { cx } from './cx.ts';

/** How far something is: `value` from 0 to 1, or null while that is not known. */
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
