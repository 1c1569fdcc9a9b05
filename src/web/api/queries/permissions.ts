import { type QueryClient, useQuery } from '@tanstack/react-query';
import type { Permission } from '#contract/permissions.ts';
import { isMissingFeature } from '../api-errors.ts';
import { getSession, useSession } from '../session/session.ts';
import { meQuery } from './me.ts';

/** For services that do not tell (see `isMissingFeature`). */
const USUAL_PERMISSIONS: readonly Permission[] = ['work.read', 'work.create', 'uploads.create', 'billing.read_own'];

/**
 * Returns what the session may do; null while signed out, or while that is unknown. A reload starts with what the
 * session could do before.
 */
export function usePermissions(): readonly string[] | null {
  const enabled = useSession() === 'signed_in';
  const { data, error } = useQuery({ ...meQuery, enabled });
  if (!enabled) return null;
  if (data) return data.permissions;
  return isMissingFeature(error) ? USUAL_PERMISSIONS : (getSession()?.permissions ?? null);
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
