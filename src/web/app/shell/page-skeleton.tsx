import { Loading, Skeleton } from '#web/ui/display/skeleton.tsx';

export function PageSkeleton() {
  return (
    <Loading label="Loading" className="w-full max-w-6xl px-4 pt-5 md:px-8 md:pt-8">
      <Skeleton className="h-7 w-44" />
      <Skeleton className="mt-2 h-4 w-72 max-w-full" />
      <Skeleton className="mt-8 h-64 w-full rounded-md" />
    </Loading>
  );
}
