import type { ComponentProps, ReactNode } from 'react';
import { cx } from '#web/ui/cx.ts';
import { Spinner } from '#web/ui/display/progress.tsx';

export type ButtonVariant = 'primary' | 'secondary' | 'ghost' | 'danger';
export type ButtonSize = 'sm' | 'md' | 'lg';

const variants = {
  primary: 'border-transparent bg-amber text-amber-ink font-semibold not-disabled:hover:bg-amber-hover',
  secondary:
    'border-line-strong bg-surface text-ink font-medium not-disabled:hover:bg-hover not-disabled:active:bg-press',
  ghost:
    'border-transparent text-ink-2 font-medium not-disabled:hover:bg-hover not-disabled:hover:text-ink not-disabled:active:bg-press',
  danger: 'border-transparent bg-bad-fill text-white font-semibold not-disabled:hover:bg-bad-fill-hover',
} satisfies Record<ButtonVariant, string>;

const sizes = {
  sm: 'h-7 gap-1.5 px-2.5 text-sm pointer-coarse:h-9',
  md: 'h-9 gap-2 px-3.5 text-base pointer-coarse:h-11',
  lg: 'h-11 gap-2 px-5 text-md',
} satisfies Record<ButtonSize, string>;

export function buttonClass({
  variant = 'secondary',
  size = 'md',
}: { variant?: ButtonVariant; size?: ButtonSize } = {}) {
  return cx(
    'relative inline-flex max-w-full flex-none items-center justify-center rounded-md border whitespace-nowrap select-none',
    'transition-colors [&_kbd]:border-current/35 [&_kbd]:text-current disabled:opacity-50 aria-disabled:not-aria-busy:opacity-50 [&>svg]:flex-none',
    variants[variant],
    sizes[size],
  );
}

export interface ButtonProps extends ComponentProps<'button'> {
  variant?: ButtonVariant;
  size?: ButtonSize;
  /** Shown before the label; a spinner replaces it while `busy`. */
  icon?: ReactNode;
  iconEnd?: ReactNode;
  /** Keeps the width and the focus, and ignores presses. */
  busy?: boolean;
}

export function Button({
  variant,
  size,
  icon,
  iconEnd,
  busy = false,
  className,
  children,
  onClick,
  ...rest
}: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      aria-busy={busy || undefined}
      aria-disabled={busy || rest['aria-disabled'] || undefined}
      onClick={(event) => {
        if (busy || rest['aria-disabled'] === true) event.preventDefault();
        else onClick?.(event);
      }}
      className={cx(buttonClass({ variant, size }), className)}
    >
      {busy && !icon ? <Spinner className="absolute" /> : null}
      {busy && icon ? <Spinner /> : icon}
      <span className={cx('min-w-0 truncate', busy && !icon && 'opacity-0')}>{children}</span>
      {iconEnd}
    </button>
  );
}

/** Renders a button that shrinks to its icon in a narrow `@container`. Its label stays for screen readers. */
export function ToolbarButton({ className, ...rest }: ButtonProps & { icon: ReactNode }) {
  return (
    <Button
      {...rest}
      className={cx('@max-4xl:w-9 @max-4xl:px-0 @max-4xl:[&>span]:sr-only @max-4xl:pointer-coarse:w-11', className)}
    />
  );
}
