import type { ComponentProps, ReactNode } from 'react';
import { cx } from '#web/ui/cx.ts';
import { useFieldControl } from './field.tsx';

export interface TextInputProps extends Omit<ComponentProps<'input'>, 'prefix'> {
  prefix?: ReactNode;
  suffix?: ReactNode;
}

export function TextInput({ prefix, suffix, className, ...rest }: TextInputProps) {
  const field = useFieldControl();
  if (!prefix && !suffix)
    return <input type="text" dir="auto" {...field} {...rest} className={cx('control', className)} />;
  return (
    <span className={cx('control flex items-center gap-2 py-0!', className)}>
      {prefix ? <span className="flex flex-none text-ink-3">{prefix}</span> : null}
      <input
        type="text"
        dir="auto"
        {...field}
        {...rest}
        className="min-w-0 flex-1 self-stretch bg-transparent py-[0.4375rem]"
      />
      {suffix ? <span className="flex flex-none text-ink-3">{suffix}</span> : null}
    </span>
  );
}

interface TextAreaProps extends ComponentProps<'textarea'> {
  /** Lines shown when empty. The box grows with its text up to `maxRows`, then scrolls. */
  rows?: number;
  maxRows?: number;
}

export function TextArea({ rows = 3, maxRows = 14, className, style, ...rest }: TextAreaProps) {
  const field = useFieldControl();
  return (
    <textarea
      dir="auto"
      rows={rows}
      {...field}
      {...rest}
      style={{ minHeight: `${rows * 1.25 + 1}rem`, maxHeight: `${maxRows * 1.25 + 1}rem`, ...style }}
      className={cx('control', className)}
    />
  );
}
