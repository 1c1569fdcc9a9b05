import { readClosedMonths } from '#server/accounts/closing/settling/closing-entries.ts';
import type { Db } from '#server/platform/db/db.ts';

/** Whether the month has a closing record. */
export const isMonthClosed = async (db: Pick<Db, 'select'>, organizationId: string, month: string): Promise<boolean> =>
  (await readClosedMonths(db, organizationId)).has(month);
