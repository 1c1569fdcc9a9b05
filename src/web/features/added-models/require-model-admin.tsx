import { useQuery, type UseQueryOptions } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ApiError, isNotFound, queryError } from '#web/api/api-errors.ts';
import { LoadError } from '#web/api/load-error.tsx';
import { useCan } from '#web/api/queries/permissions.ts';
import { NotAllowed, RequireSession } from '#web/api/session/require-session.tsx';

interface RequireModelAdminProps<T> {
  query: Pick<UseQueryOptions<T, Error>, 'queryKey' | 'queryFn' | 'refetchInterval'>;
  /** Completes “… could not be loaded”. */
  what: string;
  skeleton: ReactNode;
  /** Shown where the id is unknown. */
  notFound?: ReactNode;
  children: (data: T) => ReactNode;
}

/** Loads what belongs to added models, for those who may manage them. Others see who can help. */
export function RequireModelAdmin<T>(props: RequireModelAdminProps<T>) {
  return (
    <RequireSession to="add models" permission="models.manage">
      <Loader {...props} />
    </RequireSession>
  );
}

function Loader<T>({ query, what, skeleton, notFound, children }: RequireModelAdminProps<T>) {
  const enabled = useCan('models.manage');
  const loaded = useQuery({ ...query, enabled } as UseQueryOptions<T, Error>);
  if (loaded.data !== undefined) return children(loaded.data);
  const { error } = loaded;
  if (notFound !== undefined && isNotFound(error)) return notFound;
  if (error instanceof ApiError && error.status === 401)
    return <NotAllowed to="add models">{error.message}</NotAllowed>;
  const problem = enabled ? queryError(loaded) : null;
  return problem ? <LoadError what={what} error={problem} onRetry={() => void loaded.refetch()} /> : skeleton;
}
