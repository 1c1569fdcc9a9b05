import { asc, eq, type SQL } from 'drizzle-orm';
import { formatNano, NANO_PER_MICRO } from '#contract/money/money.ts';
import type { ClosingFindingDetails } from '#contract/resources/closing-finding.ts';
import type { UpstreamJob } from '#contract/resources/review.ts';
import { readCreators } from '#server/accounts/keys/read-creators.ts';
import { closingCorrections, closingEntries } from '#server/platform/db/schema/closing-schema.ts';
import type { Db } from '#server/platform/db/db.ts';
import { parseSettlement } from './closing-entries.ts';

export type FindingSettlement = ClosingFindingDetails['settlements'][number];

/** Corrections with the settlements that booked them, oldest first. */
export async function readCorrections(db: Pick<Db, 'select'>, isWanted: SQL | undefined) {
  const rows = await db
    .select({ correction: closingCorrections, entry: closingEntries })
    .from(closingCorrections)
    .innerJoin(closingEntries, eq(closingEntries.id, closingCorrections.entry_id))
    .where(isWanted)
    .orderBy(asc(closingEntries.seq));
  const creatorOf = await readCreators(
    { db },
    rows.map(({ entry }) => entry.created_by),
  );
  return rows.map(({ correction, entry }) => {
    const { action, note } = parseSettlement(entry);
    const [by, at] = [creatorOf(entry.created_by), entry.created_at.toISOString()];
    const amount_usd = formatNano(correction.amount_nano);
    return { correction, settlement: { id: entry.id, action, note, amount_usd, by, at } satisfies FindingSettlement };
  });
}

/** What settling bills has added to the cost of a generation. */
export async function readCorrectedCost(
  db: Pick<Db, 'select'>,
  generationId: string,
  costMicroUsd: bigint | null,
): Promise<Pick<UpstreamJob, 'corrected_cost_usd' | 'corrections'>> {
  const rows = await readCorrections(db, eq(closingCorrections.generation_id, generationId));
  const isKnown = costMicroUsd !== null || rows.length > 0;
  const cost = (costMicroUsd ?? 0n) * NANO_PER_MICRO;
  const sum = rows.reduce((total, { correction }) => total + correction.amount_nano, cost);
  return {
    corrected_cost_usd: isKnown ? formatNano(sum) : null,
    corrections: rows.map(({ correction: { month }, settlement: { id: _id, ...settlement } }) => ({
      ...settlement,
      month,
    })),
  };
}
