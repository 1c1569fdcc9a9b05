import { ApiError } from '#server/platform/core/api-error.ts';
import { parseQueryTime } from '#server/platform/db/created-within.ts';

export interface MarginPeriod {
  from?: string | undefined;
  to?: string | undefined;
}

const DAY_MS = 24 * 3_600_000;
/** A leap year. Limits the rows that one request reads. */
const MAX_DAYS = 366;

/**
 * Defaults to the current month in UTC up to the end of today; without `from`, to the month that ends with `to`.
 * @throws {ApiError} 422 if the period is empty or longer than 366 days
 */
export function resolveMarginPeriod(period: MarginPeriod, now: Date): { from: Date; to: Date } {
  const to =
    period.to === undefined ? new Date((Math.floor(now.getTime() / DAY_MS) + 1) * DAY_MS) : parseQueryTime(period.to);
  const last = new Date(to.getTime() - 1);
  const from =
    period.from === undefined
      ? new Date(Date.UTC(last.getUTCFullYear(), last.getUTCMonth(), 1))
      : parseQueryTime(period.from);
  if (from >= to) throw invalidPeriod('to', 'The period must end after it starts.');
  if (to.getTime() - from.getTime() > MAX_DAYS * DAY_MS)
    throw invalidPeriod('from', `Choose a period of at most ${MAX_DAYS} days.`);
  return { from, to };
}

const invalidPeriod = (path: string, message: string): ApiError =>
  new ApiError('invalid_request', message, { status: 422, details: [{ path, message }] });
