import { useQuery } from '@tanstack/react-query';
import type { Batch } from '#contract/resources/batch.ts';
import { meQuery } from '#web/api/queries/me.ts';
import { useCan } from '#web/api/queries/permissions.ts';

/** Whether the session may resume and retry a batch: its orders start in the name of who created it. */
export function useCanContinue({ created_by }: Batch): boolean {
  const { data: me } = useQuery(meQuery);
  const isOwn =
    me !== undefined && (me.key.id === created_by.id || (me.person && me.person.id === created_by.person?.id));
  const managesAll = useCan('settings.manage');
  return useCan('work.create') && (isOwn === true || managesAll);
}
