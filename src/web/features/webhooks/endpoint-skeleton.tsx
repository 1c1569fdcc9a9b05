import { Loading, Skeleton } from '#web/ui/skeleton.tsx';
import { DeliverySkeleton } from './delivery-skeleton.tsx';

/** The shape of an endpoint that is on the way. */
export function EndpointSkeleton() {
  return (
    <Loading label="Loading the endpoint">
      <Skeleton className="mt-2 h-4 w-72 max-w-full" />
      <span className="mt-5 mb-7 grid h-24 grid-cols-2 items-center gap-6 rounded-md border border-line bg-surface px-4 @3xl:grid-cols-4">
        {['attempts', 'last', 'events', 'added'].map((fact) => (
          <Skeleton key={fact} className="h-4 w-28 max-w-full" />
        ))}
      </span>
      <DeliverySkeleton rows={5} />
    </Loading>
  );
}
