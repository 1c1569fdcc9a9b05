import type { ComponentProps, ReactNode } from 'react';
import { cx } from '#web/ui/cx.ts';
import { Spinner } from '#web/ui/display/progress.tsx';

export interface IconButtonProps extends Omit<ComponentProps<'button'>, 'children' | 'aria-label'> {
  label: string;
  icon: ReactNode;
  size?: 'sm' | 'md';
  outlined?: boolean;
  /** Keeps the focus and ignores presses. */
  busy?: boolean;
  /** State of a toggle; leave out for a plain button. */
  pressed?: boolean;
}

export function IconButton({
  label,
  icon,
  size = 'md',
  outlined,
  busy,
  pressed,
  className,
  onClick,
  ...rest
}: IconButtonProps) {
  return (
    <button
      type="button"
      data-tooltip={label}
      aria-label={label}
      aria-pressed={pressed}
      aria-busy={busy || undefined}
      {...rest}
      aria-disabled={busy || rest['aria-disabled'] || undefined}
      onClick={(event) => {
        if (busy || rest['aria-disabled'] === true) event.preventDefault();
        else onClick?.(event);
      }}
      className={cx(
        'inline-flex flex-none items-center justify-center rounded-md border text-ink-2 transition-colors',
        'not-disabled:hover:bg-hover not-disabled:hover:text-ink not-disabled:active:bg-press disabled:opacity-50 aria-disabled:opacity-50',
        'aria-pressed:bg-press aria-pressed:text-ink',
        outlined ? 'border-line-strong bg-surface' : 'border-transparent',
        size === 'sm' ? 'size-7 pointer-coarse:size-9' : 'size-9 pointer-coarse:size-11',
        className,
      )}
    >
      {busy ? <Spinner /> : icon}
    </button>
  );
}
