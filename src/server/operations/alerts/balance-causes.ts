import { and, eq, inArray, sql } from 'drizzle-orm';
import { formatMoney } from '#contract/money.ts';
import { accounts, spendingDays } from '#server/platform/db/billing-schema.ts';
import type { Tx } from '#server/platform/db/db.ts';
import { organizations } from '#server/platform/db/organization-schema.ts';
import { type AlertCause, dayOf, organizationCause } from './alert-cause.ts';

export async function findLowBalance(tx: Tx, organization_id: string): Promise<AlertCause[]> {
  const [row] = await tx
    .select({ available: accounts.available_micro_usd, limit: organizations.low_balance_micro_usd })
    .from(accounts)
    .innerJoin(organizations, eq(organizations.id, accounts.organization_id))
    .where(eq(accounts.organization_id, organization_id));
  if (!row || row.limit === null || row.available >= row.limit) return [];
  const message = `${formatMoney(row.available)} are available, less than ${formatMoney(row.limit)}.`;
  return [organizationCause('low_balance', null, message)];
}

const WEEK_MS = 7 * 24 * 3_600_000;
/** Weeks that today is compared with. */
const COMPARED_WEEKS = 4;
/** With a single week to compare, one odd day would decide. */
const MIN_WEEKS = 2;
/** The same weekday often doubles from week to week; three times as much is rare. */
const UNUSUAL_FACTOR = 3n;
/** Below ten dollars, three times as much is still little. */
const UNUSUAL_MIN_MICRO_USD = 10_000_000n;

/** Compares today's charges so far with the average of the same weekday in the weeks before, idle ones included. */
export async function findUnusualSpending(tx: Tx, organization_id: string, now: Date): Promise<AlertCause[]> {
  const today = dayOf(now);
  const earlier = Array.from({ length: COMPARED_WEEKS }, (_, week) =>
    dayOf(new Date(now.getTime() - (week + 1) * WEEK_MS)),
  );
  const { date, spent_micro_usd } = spendingDays;
  const is_organization = eq(spendingDays.organization_id, organization_id);
  const rows = await tx
    .select({ date, spent: sql<string>`sum(${spent_micro_usd})::text` })
    .from(spendingDays)
    .where(and(is_organization, inArray(date, [today, ...earlier])))
    .groupBy(date);
  const sums = new Map(rows.map((row) => [row.date, BigInt(row.spent)]));
  const spent = sums.get(today) ?? 0n;
  if (spent < UNUSUAL_MIN_MICRO_USD) return [];
  const [oldest] = await tx
    .select({ date: sql<string | null>`min(${date})::text` })
    .from(spendingDays)
    .where(is_organization);
  const compared = earlier.filter((day) => oldest?.date != null && day >= oldest.date);
  const total = compared.reduce((sum, day) => sum + (sums.get(day) ?? 0n), 0n);
  const weeks = BigInt(compared.length);
  if (compared.length < MIN_WEEKS || spent * weeks <= total * UNUSUAL_FACTOR) return [];
  const weekday = new Intl.DateTimeFormat('en-US', { weekday: 'long', timeZone: 'UTC' }).format(now);
  const message = `${formatMoney(spent)} were charged today so far. The last ${weeks} ${weekday}s had ${formatMoney(total / weeks)} on average.`;
  return [organizationCause('unusual_spend', today, message)];
}
