import { Loading, Skeleton } from '#web/ui/skeleton.tsx';

const ROWS = 4;

/** The shape of keys that are on the way. */
export function KeysSkeleton() {
  return (
    <Loading label="Loading keys" className="rounded-md border border-line bg-surface">
      {Array.from({ length: ROWS }, (_, row) => (
        <span key={row} className="flex h-18 items-center gap-4 border-b border-line px-4 last:border-0">
          <span className="flex-1">
            <Skeleton className="h-4 w-40" />
            <Skeleton className="mt-2 h-3 w-28" />
          </span>
          <Skeleton className="hidden h-4 w-24 md:block" />
          <Skeleton className="h-7 w-20" />
        </span>
      ))}
    </Loading>
  );
}
