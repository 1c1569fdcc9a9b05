import { LoadingRows } from '#web/ui/loading-rows.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';

/** The shape of keys that are on the way. */
export const KeysSkeleton = () => (
  <LoadingRows label="Loading keys" rows={4} className="flex h-18 items-center gap-4">
    <span className="flex-1">
      <Skeleton className="h-4 w-40" />
      <Skeleton className="mt-2 h-3 w-28" />
    </span>
    <Skeleton className="hidden h-4 w-24 md:block" />
    <Skeleton className="h-7 w-20" />
  </LoadingRows>
);
