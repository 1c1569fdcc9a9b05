import type { ReactNode } from 'react';
import { cx } from '#web/ui/cx.ts';

/** Renders a gray block in place of loading content; size it with classes (`h-4 w-32`). */
export function Skeleton({ className }: { className?: string }) {
  return <span aria-hidden="true" className={cx('block animate-pulse rounded-sm bg-skeleton', className)} />;
}

export function SkeletonText({ lines = 3 }: { lines?: number }) {
  return (
    <span className="flex flex-col gap-2.5" aria-hidden="true">
      {Array.from({ length: lines }, (_, line) => (
        <Skeleton key={line} className={cx('h-3.5', line === lines - 1 && lines > 1 ? 'w-3/5' : 'w-full')} />
      ))}
    </span>
  );
}

/** Does not pulse: an animation costs every frame of a scroll, even outside the window. */
export function LoadMoreSkeleton({ children }: { children: ReactNode }) {
  return (
    <div aria-hidden="true" className="[&_.animate-pulse]:animate-none">
      {children}
    </div>
  );
}

/** Wraps skeletons and announces `label` once to assistive technology. */
export function Loading({ label, children, className }: { label: string; children: ReactNode; className?: string }) {
  return (
    <div aria-busy="true" className={className}>
      <output className="sr-only">{label}</output>
      {children}
    </div>
  );
}

export interface SkeletonRowsProps {
  rows: number;
  className: string;
  children: ReactNode | ((row: number) => ReactNode);
}

export function SkeletonRows({ rows, className, children }: SkeletonRowsProps) {
  return (
    <div aria-hidden="true">
      {Array.from({ length: rows }, (_, row) => (
        <div key={row} className={cx('border-b border-line', className)}>
          {typeof children === 'function' ? children(row) : children}
        </div>
      ))}
    </div>
  );
}

export function FramedSkeletonRows({ label, className, ...rest }: SkeletonRowsProps & { label: string }) {
  return (
    <Loading label={label} className="rounded-md border border-line bg-surface">
      <SkeletonRows {...rest} className={cx('px-4 last:border-0', className)} />
    </Loading>
  );
}

export const skeletonTextWidth = (row: number) => ['w-3/5', 'w-4/5', 'w-2/5'][row % 3];
