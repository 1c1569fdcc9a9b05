import type { ComponentProps, ReactNode } from 'react';
import { cx } from '#web/ui/cx.ts';

export interface CardProps extends Omit<ComponentProps<'section'>, 'title'> {
  title?: ReactNode;
  description?: ReactNode;
  actions?: ReactNode;
  footer?: ReactNode;
  flush?: boolean;
}

export function Card({ title, description, actions, footer, flush, className, children, ...rest }: CardProps) {
  return (
    <section {...rest} className={cx('min-w-0 rounded-md border border-line bg-surface', className)}>
      {title || actions ? (
        <header className="flex flex-wrap items-center gap-x-4 gap-y-2 border-b border-line px-4 py-3">
          <div className="min-w-0 flex-[1_1_12rem]">
            <h2 className="text-base font-semibold">{title}</h2>
            {description ? <p className="text-sm text-ink-3">{description}</p> : null}
          </div>
          {actions}
        </header>
      ) : null}
      <div className={cx(!flush && 'p-4')}>{children}</div>
      {footer ? (
        <footer className="flex flex-wrap items-center gap-2 border-t border-line px-4 py-3">{footer}</footer>
      ) : null}
    </section>
  );
}
