import { Loading, Skeleton, SkeletonText } from '#web/ui/skeleton.tsx';

/** The shape of a case that is on the way. */
export function ReviewItemSkeleton() {
  return (
    <Loading label="Loading the case">
      <Skeleton className="h-14 w-full rounded-md" />
      <Skeleton className="mt-5 aspect-video max-h-[40dvh] w-full rounded-md" />
      <span className="mt-7 block">
        <SkeletonText lines={3} />
      </span>
      <Skeleton className="mt-7 h-24 w-full" />
    </Loading>
  );
}
