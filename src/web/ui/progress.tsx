import { cx } from './cx.ts';

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
