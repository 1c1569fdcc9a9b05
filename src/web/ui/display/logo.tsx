import { cx } from '#web/ui/cx.ts';

/** The logo is decorative: the name is beside it or in a label. */
export function Logo({ className }: { className?: string }) {
  return (
    <svg viewBox="0 0 18 18" aria-hidden="true" className={cx('size-4.5 flex-none', className)}>
      <path d="M1 1h16v3.5H4.5v9H17V17H1z" fill="currentColor" />
      <path d="M4.5 7.25H17v3.5H4.5z" className="fill-amber" />
    </svg>
  );
}
