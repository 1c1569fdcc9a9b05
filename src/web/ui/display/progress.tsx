import { cx } from '#web/ui/cx.ts';

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

/** Renders a spinner in the color and size of the text around it. It is silent, so name the action in words. */
export function Spinner({ className }: { className?: string }) {
  return (
    <svg viewBox="0 0 16 16" aria-hidden="true" className={cx('size-4 flex-none animate-spin', className)}>
      <circle cx="8" cy="8" r="6" fill="none" stroke="currentColor" strokeOpacity="0.25" strokeWidth="2" />
      <path d="M8 2a6 6 0 0 1 6 6" fill="none" stroke="currentColor" strokeWidth="2" strokeLinecap="round" />
    </svg>
  );
}
