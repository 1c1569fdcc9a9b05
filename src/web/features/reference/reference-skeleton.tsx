import { Loading, Skeleton, SkeletonText } from '#web/ui/skeleton.tsx';
import { referenceGridClass } from './reference-layout.ts';

const LINES = 14;

/** The shape of the reference while it is on the way. */
export function ReferenceSkeleton() {
  return (
    <Loading label="Loading the API reference" className={referenceGridClass}>
      <span className="hidden flex-col gap-3 lg:flex">
        {Array.from({ length: LINES }, (_, line) => (
          <Skeleton key={line} className="h-4 w-40" />
        ))}
      </span>
      <span className="flex max-w-3xl flex-col gap-8">
        <SkeletonText lines={3} />
        <Skeleton className="h-40 w-full rounded-md" />
        <Skeleton className="h-64 w-full rounded-md" />
      </span>
    </Loading>
  );
}
