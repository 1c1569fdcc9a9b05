import type { Db } from '#server/platform/db/db.ts';

/** Whether the month has a closing record. No month can be closed yet. */
export const isMonthClosed = async (
  _db: Pick<Db, 'select'>,
  _organizationId: string,
  _month: string,
): Promise<boolean> => false;
