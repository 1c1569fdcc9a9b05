import { Loading, SkeletonText } from '#web/ui/display/skeleton.tsx';

export function CredentialsSkeleton() {
  return (
    <Loading label="Checking content credentials">
      <SkeletonText lines={3} />
    </Loading>
  );
}
