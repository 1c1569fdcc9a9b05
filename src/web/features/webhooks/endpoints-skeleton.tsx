import { Loading, Skeleton } from '#web/ui/skeleton.tsx';

const ROWS = 3;

/** The shape of endpoints that are on the way. */
export function EndpointsSkeleton() {
  return (
    <Loading label="Loading webhooks" className="rounded-md border border-line bg-surface">
      {Array.from({ length: ROWS }, (_, row) => (
        <span key={row} className="flex h-18 items-center gap-4 border-b border-line px-4 last:border-0">
          <span className="flex-1">
            <Skeleton className="h-4 w-72 max-w-full" />
            <Skeleton className="mt-2 h-3 w-40" />
          </span>
          <Skeleton className="hidden h-4 w-48 md:block" />
        </span>
      ))}
    </Loading>
  );
}
