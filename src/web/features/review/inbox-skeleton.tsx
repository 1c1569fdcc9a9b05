import { Loading, Skeleton } from '#web/ui/skeleton.tsx';

const ROWS = 3;

/** The shape of a list of cases that is on the way. */
export function InboxSkeleton() {
  return (
    <Loading label="Loading what waits" className="rounded-md border border-line bg-surface">
      {Array.from({ length: ROWS }, (_, row) => (
        <span key={row} className="block h-25 border-b border-line px-4 py-3.5 last:border-0">
          <Skeleton className="h-4 w-3/5" />
          <Skeleton className="mt-2.5 h-3.5 w-4/5" />
          <Skeleton className="mt-2.5 h-3 w-40" />
        </span>
      ))}
    </Loading>
  );
}
