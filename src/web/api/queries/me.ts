import { queryOptions, useQuery } from '@tanstack/react-query';
import { api } from '../api.ts';
import { queryKeys } from './query-keys.ts';
import { useSession } from '../session/session.ts';

/** Organization and key of the session. An addition (see `isMissingFeature`). */
export const meQuery = queryOptions({
  queryKey: queryKeys.me,
  queryFn: ({ signal }) => api.call('get_me', { signal }),
  staleTime: 5 * 60_000,
});

/** Whether the session may change what belongs to the whole installation; false while that is unknown. */
export function useIsAdministrator(): boolean {
  const enabled = useSession() === 'signed_in';
  return useQuery({ ...meQuery, enabled }).data?.providers !== undefined && enabled;
}

/** Whether the session has an organization key; false while that is unknown. */
export function useIsOperator(): boolean {
  const enabled = useSession() === 'signed_in';
  return useQuery({ ...meQuery, enabled }).data?.key.kind === 'organization' && enabled;
}
