import { SkeletonRows } from '#web/ui/skeleton-rows.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';

/** The shape of keys that are on the way. */
export const KeysSkeleton = () => (
  <SkeletonRows label="Loading keys" rows={3} className="flex h-32.25 gap-4 py-3.5 md:h-24.25">
    <span className="flex-1">
      <Skeleton className="h-4 w-40" />
      <Skeleton className="mt-2 h-3 w-28" />
      <Skeleton className="mt-4 h-3.5 w-36" />
      <Skeleton className="mt-4 h-3.5 w-44 md:hidden" />
    </span>
    <Skeleton className="mt-1 hidden h-4 w-24 md:block" />
    <Skeleton className="mt-1 h-7 w-16 pointer-coarse:h-9" />
  </SkeletonRows>
);
