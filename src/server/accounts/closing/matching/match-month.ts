import { and, eq, sql } from 'drizzle-orm';
import { NANO_PER_MICRO } from '#contract/money/money.ts';
import { sumBy } from '#server/accounts/billing/reports/report.ts';
import type { ProviderNames } from '#server/accounts/closing/bills/list-bills.ts';
import { lockClosings, readClosedMonths } from '#server/accounts/closing/settling/closing-entries.ts';
import { withLongStatements } from '#server/platform/db/postgres/long-statements.ts';
import { closingMatches, providerBills } from '#server/platform/db/schema/closing-schema.ts';
import type { Db, Tx } from '#server/platform/db/db.ts';
import type { Deps } from '#server/platform/deps.ts';
import { matchProvider } from './match-provider.ts';
import type { BilledNames } from './name-services.ts';
import { monthPeriod } from './select-pairs.ts';

/** What models of a provider may be called on its bills. */
export type ReadBilledNames = (db: Pick<Db, 'select'>, providerId: string) => Promise<BilledNames>;

/** What a closing needs to know about connected providers. */
export interface ClosingNames {
  providers: ProviderNames;
  readBilledNames: ReadBilledNames;
}

export interface MonthSide {
  provider_id: string;
  costMicroUsd: bigint;
  unknownCount: number;
  billCount: number;
  /** null: no bill. */
  billNano: bigint | null;
  match: typeof closingMatches.$inferSelect | null;
}

/** More than this is matched again for another cost only after a minute, since work goes on. */
const LARGE_FINDINGS = 20_000;
const LARGE_INTERVAL_MS = 60_000;

/** Both sides of a month, by provider, as they are now. */
async function readSides(db: Db | Tx, organization_id: string, month: string): Promise<MonthSide[]> {
  const costs = await sumBy(db, { organization_id }, monthPeriod(month), ['provider'], ['jobCost', 'unknownJobs']);
  const bills = await db
    .select({
      provider_id: providerBills.provider_id,
      count: sql<number>`count(*)::integer`,
      nano: sql<string>`sum(${providerBills.usd_nano})::text`,
    })
    .from(providerBills)
    .where(and(eq(providerBills.organization_id, organization_id), eq(providerBills.month, month)))
    .groupBy(providerBills.provider_id);
  const matches = await db
    .select()
    .from(closingMatches)
    .where(and(eq(closingMatches.organization_id, organization_id), eq(closingMatches.month, month)));
  const costOf = new Map(costs.flatMap(({ values: [id = null], sums }) => (id === null ? [] : [[id, sums] as const])));
  const billOf = new Map(bills.map((bill) => [bill.provider_id, bill]));
  const matchOf = new Map(matches.map((match) => [match.provider_id, match]));
  return [...new Set([...costOf.keys(), ...billOf.keys(), ...matchOf.keys()])].map((id) => {
    const bill = billOf.get(id);
    return {
      provider_id: id,
      costMicroUsd: costOf.get(id)?.jobCost ?? 0n,
      unknownCount: Number(costOf.get(id)?.unknownJobs ?? 0n),
      billCount: bill?.count ?? 0,
      billNano: bill === undefined ? null : BigInt(bill.nano),
      match: matchOf.get(id) ?? null,
    };
  });
}

/** Whether the findings are not of these sides. Without a bill there is nothing to match, unless something was settled. */
function needsMatch({ billNano, costMicroUsd, unknownCount, match }: MonthSide, now: Date, isExact: boolean): boolean {
  if (match === null) return billNano !== null;
  if (match.is_stale || match.bill_nano !== (billNano ?? 0n)) return true;
  const isSame = match.cost_nano === costMicroUsd * NANO_PER_MICRO && match.unknown_cost_count === unknownCount;
  if (isSame) return false;
  const count = match.sums.reduce((sum, { finding_count }) => sum + finding_count, 0);
  return isExact || count < LARGE_FINDINGS || now.getTime() - match.matched_at.getTime() > LARGE_INTERVAL_MS;
}

/**
 * Matches what has changed since the last time: another bill, or costs that arrived. A closed month stays as it is.
 * @param isExact also where a large month was matched a moment ago
 */
export async function matchMonth(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  organizationId: string,
  month: string,
  readNames: ReadBilledNames,
  isExact = false,
): Promise<MonthSide[]> {
  const sides = await readSides(db, organizationId, month);
  if (!sides.some((side) => needsMatch(side, clock.now(), isExact))) return sides;
  return withLongStatements(() =>
    db.transaction(async (tx) => {
      await lockClosings(tx, organizationId);
      return matchInTransaction({ tx, now: clock.now() }, organizationId, month, readNames, isExact);
    }),
  );
}

/** Like `matchMonth`, after `lockClosings`. */
export async function matchInTransaction(
  { tx, now }: { tx: Tx; now: Date },
  organization_id: string,
  month: string,
  readNames: ReadBilledNames,
  isExact = true,
): Promise<MonthSide[]> {
  const closedMonths = new Set((await readClosedMonths(tx, organization_id)).keys());
  const sides = await readSides(tx, organization_id, month);
  if (closedMonths.has(month)) return sides;
  for (const side of sides.filter((each) => needsMatch(each, now, isExact))) {
    const scope = { organization_id, month, provider_id: side.provider_id };
    const sources = { names: await readNames(tx, side.provider_id), closedMonths };
    await matchProvider(tx, scope, sources, side.unknownCount, now);
  }
  return readSides(tx, organization_id, month);
}
