import { cx } from '#web/ui/cx.ts';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { runRowGrid } from './workflow-run-row.tsx';

/** Rows of the table that are on the way. */
export function RunTableSkeleton({ rows }: { rows: number }) {
  return (
    <div aria-hidden="true">
      {Array.from({ length: rows }, (_, row) => (
        <div key={row} className={cx(runRowGrid, 'h-17 border-b border-line')}>
          <Skeleton
            className={cx(
              'mb-1 h-4 self-end [grid-area:text] @3xl:mb-0 @3xl:self-center',
              ['w-3/5', 'w-4/5', 'w-2/5'][row % 3],
            )}
          />
          <Skeleton className="h-2 w-16 [grid-area:strip] @max-3xl:hidden" />
          <Skeleton className="mt-0.5 h-5 w-18 self-start [grid-area:status] @3xl:mt-0 @3xl:self-center" />
          <Skeleton className="mt-1 h-4 w-12 self-start [grid-area:cost] @3xl:mt-0 @3xl:self-center @3xl:justify-self-end" />
          <Skeleton className="mt-1 h-4 w-14 self-start justify-self-end [grid-area:time] @3xl:mt-0 @3xl:self-center" />
        </div>
      ))}
    </div>
  );
}
