import { cx } from '#web/ui/cx.ts';
import { Skeleton, SkeletonRows } from '#web/ui/skeleton.tsx';
import { deliveryRowGrid } from './delivery-table-row.tsx';

export function DeliverySkeleton({ rows }: { rows: number }) {
  return (
    <SkeletonRows rows={rows} className={cx(deliveryRowGrid, 'h-15')}>
      <Skeleton className="h-4 w-40 [grid-area:what]" />
      <Skeleton className="h-5 w-20 [grid-area:status]" />
      <Skeleton className="h-4 w-28 [grid-area:how]" />
      <Skeleton className="h-4 w-16 justify-self-end [grid-area:time]" />
    </SkeletonRows>
  );
}
