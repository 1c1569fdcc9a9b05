import { Loading, Skeleton, SkeletonText } from '#web/ui/display/skeleton.tsx';

export const starterColumns = 'mt-6 grid gap-x-10 gap-y-10 lg:grid-cols-[minmax(20rem,32rem)_minmax(0,1fr)]';

export function StarterSkeleton() {
  return (
    <Loading label="Loading workflow">
      <Skeleton className="h-7 w-56" />
      <Skeleton className="mt-2 h-4 w-96 max-w-full" />
      <div className={starterColumns}>
        <span className="flex flex-col gap-5">
          <Skeleton className="h-36 w-full rounded-md" />
          <SkeletonText lines={2} />
          <Skeleton className="h-11 w-full rounded-md" />
        </span>
        <Skeleton className="h-48 w-full rounded-md" />
      </div>
    </Loading>
  );
}
