import { cx } from '#web/ui/cx.ts';
import { Skeleton, SkeletonRows } from '#web/ui/skeleton.tsx';
import { ledgerGrid } from './ledger-row.tsx';

export function LedgerSkeleton({ rows }: { rows: number }) {
  return (
    <SkeletonRows rows={rows} className={cx(ledgerGrid, 'h-17')}>
      <Skeleton className="h-5 w-18 self-start [grid-area:kind] @4xl:self-center" />
      <Skeleton className="mb-1 h-4 w-40 max-w-full self-end [grid-area:what] @4xl:mb-0 @4xl:self-center" />
      <Skeleton className="h-4 w-16 self-start [grid-area:time] @4xl:self-center @4xl:justify-self-end" />
      <Skeleton className="mb-1 h-4 w-14 self-end justify-self-end [grid-area:amount] @4xl:mb-0 @4xl:self-center" />
      <Skeleton className="h-4 w-16 self-start justify-self-end [grid-area:after] @4xl:self-center" />
    </SkeletonRows>
  );
}
