import { FramedSkeletonRows, Skeleton } from '#web/ui/display/skeleton.tsx';

export const ReviewInboxSkeleton = () => (
  <FramedSkeletonRows label="Loading reviews" rows={3} className="block h-33 py-3.5 md:h-22">
    <Skeleton className="h-4 w-3/5" />
    <Skeleton className="mt-2.5 h-3.5 w-4/5" />
    <Skeleton className="mt-2.5 h-3 w-40" />
  </FramedSkeletonRows>
);
