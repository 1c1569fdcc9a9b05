import type { ReactNode } from 'react';
import { Button, type ButtonProps } from './button.tsx';
import { cx } from './cx.ts';

/** Renders a button that shrinks to its icon in a narrow `@container`. Its label stays for screen readers. */
export function ToolbarButton({ className, ...rest }: ButtonProps & { icon: ReactNode }) {
  return (
    <Button
      {...rest}
      className={cx('@max-4xl:w-9 @max-4xl:px-0 @max-4xl:[&>span]:sr-only @max-4xl:pointer-coarse:w-11', className)}
    />
  );
}
