import { Loading, Skeleton } from '#web/ui/skeleton.tsx';

/** The shape of a run that is on the way. */
export function RunSkeleton() {
  return (
    <Loading label="Loading run">
      <Skeleton className="h-7 w-56" />
      <Skeleton className="mt-2 h-4 w-72 max-w-full" />
      <span className="mt-8 flex gap-12 overflow-hidden">
        {[0, 1, 2].map((at) => (
          <Skeleton key={at} className="h-14 w-48 flex-none rounded-md" />
        ))}
      </span>
      <Skeleton className="mt-8 h-48 w-full rounded-md" />
    </Loading>
  );
}
