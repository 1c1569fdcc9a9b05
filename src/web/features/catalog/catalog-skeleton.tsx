import { Loading, Skeleton } from '#web/ui/skeleton.tsx';

const CARDS = 6;

/** The shape of the cards that are on the way. */
export function CatalogSkeleton() {
  return (
    <Loading label="Loading models and prices">
      <Skeleton className="mb-3 h-5 w-20" />
      <span className="grid gap-3 lg:grid-cols-2 4k:grid-cols-3">
        {Array.from({ length: CARDS }, (_, card) => (
          <span key={card} className="block rounded-md border border-line bg-surface px-4 py-4">
            <span className="flex gap-3.5">
              <Skeleton className="size-14 flex-none" />
              <span className="min-w-0 flex-1">
                <Skeleton className="h-4 w-36 max-w-full" />
                <Skeleton className="mt-2 h-3.5 w-52 max-w-full" />
              </span>
            </span>
            <Skeleton className="mt-6 h-4 w-full" />
            <Skeleton className="mt-6 h-4 w-full" />
            <Skeleton className="mt-6 h-3.5 w-32" />
          </span>
        ))}
      </span>
    </Loading>
  );
}
