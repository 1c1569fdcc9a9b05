import { Loading, SkeletonText } from '#web/ui/skeleton.tsx';

export function CredentialsSkeleton() {
  return (
    <Loading label="Checking content credentials">
      <SkeletonText lines={3} />
    </Loading>
  );
}
