import { queryOptions, useQuery } from '@tanstack/react-query';
import { api } from '../api.ts';
import { apiKey } from '../api-query.ts';
import { confirmSession, getSession, useSession } from '../session/session.ts';

/** Organization, key and person of the session. */
export const meQuery = queryOptions({
  queryKey: apiKey('get_me'),
  queryFn: async ({ signal }) => {
    const session = getSession();
    const me = await api.call('get_me', { signal });
    if (session) confirmSession(session.id, me.person?.id ?? me.key.id, me.permissions);
    return me;
  },
  staleTime: 60_000,
});

/** Whether the session may change what belongs to the whole installation; false while that is unknown. */
export function useIsAdministrator(): boolean {
  const enabled = useSession() === 'signed_in';
  return useQuery({ ...meQuery, enabled }).data?.providers !== undefined && enabled;
}
