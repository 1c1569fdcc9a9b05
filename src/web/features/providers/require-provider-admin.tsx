import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Provider } from '#contract/resources/provider.ts';
import type { ProviderPreset } from '#contract/resources/provider-preset.ts';
import { ApiError, queryError } from '#web/api/api-errors.ts';
import { LoadError } from '#web/api/load-error.tsx';
import { meQuery } from '#web/api/queries/me.ts';
import { providerPresetsQuery, providersQuery } from '#web/api/queries/providers.ts';
import { useCan } from '#web/api/queries/permissions.ts';
import { NotAllowed, RequireSession } from '#web/api/session/require-session.tsx';
import { useSession } from '#web/api/session/session.ts';
import { FramedSkeletonRows, Skeleton } from '#web/ui/display/skeleton.tsx';

interface RequireProviderAdminProps {
  children: (providers: readonly Provider[], presets: readonly ProviderPreset[]) => ReactNode;
}

/** Loads providers for the keys that may manage them. Others see who can help. */
export function RequireProviderAdmin(props: RequireProviderAdminProps) {
  return (
    <RequireSession to="manage providers" permission="providers.manage">
      <ProvidersLoader {...props} />
    </RequireSession>
  );
}

function ProvidersLoader({ children }: RequireProviderAdminProps) {
  const signedIn = useSession() === 'signed_in';
  const me = useQuery({ ...meQuery, enabled: signedIn });
  const canManage = useCan('providers.manage');
  const connected = useQuery({ ...providersQuery, enabled: canManage });
  const presets = useQuery({ ...providerPresetsQuery, enabled: canManage });
  if (connected.data && presets.data) return children(connected.data, presets.data);
  const error = connected.error ?? presets.error;
  const isForeign = error instanceof ApiError && error.status === 401;
  if (isForeign) return <NotAllowed to="manage providers">{error.message}</NotAllowed>;
  const problem = signedIn
    ? (queryError(me) ?? (canManage ? (queryError(connected) ?? queryError(presets)) : null))
    : null;
  if (!problem) return <ProvidersSkeleton />;
  const retry = () => {
    for (const query of [me, connected, presets]) if (query.isError) void query.refetch();
  };
  return <LoadError what="Providers" error={problem} onRetry={retry} />;
}

const ProvidersSkeleton = () => (
  <FramedSkeletonRows label="Loading providers" rows={3} className="flex h-24 items-center gap-4">
    <span className="flex-1">
      <Skeleton className="h-4 w-40" />
      <Skeleton className="mt-2 h-3 w-72 max-w-full" />
    </span>
    <Skeleton className="h-8 w-20" />
  </FramedSkeletonRows>
);
