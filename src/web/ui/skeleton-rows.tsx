import type { ReactNode } from 'react';
import { cx } from './cx.ts';
import { Loading } from './skeleton.tsx';

export interface SkeletonRowsProps {
  label: string;
  rows: number;
  /** Of a row: its height and what it lays out. */
  className: string;
  /** The skeleton of one row. */
  children: ReactNode;
}

/** The shape of a framed list that is on the way. */
export function SkeletonRows({ label, rows, className, children }: SkeletonRowsProps) {
  return (
    <Loading label={label} className="rounded-md border border-line bg-surface">
      {Array.from({ length: rows }, (_, row) => (
        <span key={row} className={cx('border-b border-line px-4 last:border-0', className)}>
          {children}
        </span>
      ))}
    </Loading>
  );
}
