import { useQuery } from '@tanstack/react-query';
import type { Permission } from '#contract/permissions.ts';
import { useSession } from '../session/session.ts';
import { meQuery } from './me.ts';

/** Whether the session may do something; false while that is unknown. */
export function useCan(permission: Permission): boolean {
  const enabled = useSession() === 'signed_in';
  const { data } = useQuery({ ...meQuery, enabled });
  return enabled && (data?.permissions?.includes(permission) ?? false);
}
