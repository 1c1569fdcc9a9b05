import type { ComponentProps } from 'react';
import { cx } from './cx.ts';
import { useFieldControl } from './field.tsx';

export interface TextAreaProps extends ComponentProps<'textarea'> {
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
