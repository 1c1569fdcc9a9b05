import { SkeletonRows } from '#web/ui/skeleton-rows.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';

/** The shape of endpoints that are on the way. */
export const EndpointsSkeleton = () => (
  <SkeletonRows label="Loading webhooks" rows={3} className="flex h-29 items-center md:h-17.5 gap-4">
    <span className="flex-1">
      <Skeleton className="h-4 w-72 max-w-full" />
      <Skeleton className="mt-2 h-3 w-40" />
    </span>
    <Skeleton className="hidden h-4 w-48 md:block" />
  </SkeletonRows>
);
