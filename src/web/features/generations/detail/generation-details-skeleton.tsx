import { Loading, Skeleton, SkeletonText } from '#web/ui/skeleton.tsx';

/** The shape of an open generation that is on the way. */
export function GenerationDetailsSkeleton() {
  return (
    <Loading label="Loading generation">
      <Skeleton className="aspect-square max-h-[50dvh] w-full rounded-md" />
      <span className="mt-3 flex gap-2">
        <Skeleton className="h-9 w-28" />
        <Skeleton className="h-9 w-36" />
      </span>
      <span className="mt-8 block">
        <SkeletonText lines={3} />
      </span>
      <Skeleton className="mt-8 h-24 w-full" />
    </Loading>
  );
}
