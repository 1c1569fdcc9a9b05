import { useQuery } from '@tanstack/react-query';
import type { Budget } from '#contract/resources/budget.ts';
import { budgetsQuery } from '#web/api/queries/billing.ts';
import { meQuery } from '#web/api/queries/me.ts';
import { useCan } from '#web/api/queries/permissions.ts';
import { useSession } from '#web/api/session/session.ts';
import { findTightestBudget } from './order-limits.ts';

/** The budget with the least left of those that limit this person or key alone; null for those who see all money. */
export function useOwnBudget(): Budget | null {
  const signedIn = useSession() === 'signed_in';
  const seesAll = useCan('billing.read');
  const seesOwn = useCan('billing.read_own');
  const { data: me } = useQuery({ ...meQuery, enabled: signedIn });
  const { data: budgets } = useQuery({ ...budgetsQuery, enabled: signedIn && seesOwn && !seesAll });
  if (!me || seesAll) return null;
  const own = budgets?.filter(({ scope }) => scope !== 'organization') ?? [];
  return findTightestBudget(own, { key_id: me.key.id, person_id: me.person?.id, models: [], tags: {} });
}
