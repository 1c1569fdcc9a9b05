import { useQuery } from '@tanstack/react-query';
import { meQuery } from '#web/api/queries/me.ts';
import { settingsQuery } from '#web/api/queries/settings.ts';
import { useSession } from '#web/api/session/session.ts';
import { isAbove } from './order-limits.ts';

export interface OrderAmounts {
  /** The least that the order costs; null while the price is unknown. */
  amount_usd: string | null;
  /** The most that it can cost; null if that is unknown. By default `amount_usd`. */
  maximum_usd?: string | null | undefined;
}

/** Returns the limit above which an order of this person needs an approval; null if it needs none. */
export function useApprovalLimit({ amount_usd, maximum_usd = amount_usd }: OrderAmounts): string | null {
  const signedIn = useSession() === 'signed_in';
  const { data: me } = useQuery({ ...meQuery, enabled: signedIn });
  const isMember = me?.person?.role === 'member';
  const { data: settings } = useQuery({ ...settingsQuery, enabled: signedIn && isMember });
  const limitUsd = (isMember ? settings?.approval_above_usd : null) ?? null;
  if (limitUsd === null || amount_usd === null) return null;
  return maximum_usd === null || isAbove(maximum_usd, limitUsd) ? limitUsd : null;
}
