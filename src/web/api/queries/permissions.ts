import { type QueryClient, useQuery } from '@tanstack/react-query';
import type { Permission } from '#contract/permissions.ts';
import { getSession, useSession } from '../session/session.ts';
import { meQuery } from './me.ts';

/**
 * Returns what the session may do; null while signed out, or while that is unknown. A reload starts with what the
 * session could do before.
 */
export function usePermissions(): readonly string[] | null {
  const enabled = useSession() === 'signed_in';
  const { data } = useQuery({ ...meQuery, enabled });
  return enabled ? (data?.permissions ?? getSession()?.permissions ?? null) : null;
}

/** Like `usePermissions`, outside of components. Waits for the service only while nothing is known. */
export async function fetchPermissions(client: QueryClient): Promise<readonly string[] | null> {
  const session = getSession();
  if (session === null || session.permissions) return session?.permissions ?? null;
  return client.fetchQuery(meQuery).then(
    ({ permissions }) => permissions,
    () => null,
  );
}

/** Whether the session may do something; false while that is unknown. */
export const useCan = (permission: Permission): boolean => usePermissions()?.includes(permission) ?? false;

/**
 * Whether the session may not do something; false while signed out or unknown. For parts that visitors see before they
 * sign in.
 */
export const useCannot = (permission: Permission): boolean => usePermissions()?.includes(permission) === false;
