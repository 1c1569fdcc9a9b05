import { asc, eq } from 'drizzle-orm';
import { formatNano, NANO_PER_MICRO } from '#contract/money/money.ts';
import type { UpstreamJob } from '#contract/resources/review.ts';
import { readCreators } from '#server/accounts/keys/read-creators.ts';
import { closingCorrections, closingEntries } from '#server/platform/db/schema/closing-schema.ts';
import type { Db } from '#server/platform/db/db.ts';
import { parseSettlement } from './closing-entries.ts';

/** What settling bills has added to the cost of a generation. */
export async function readCorrections(
  db: Pick<Db, 'select'>,
  generationId: string,
  costMicroUsd: bigint | null,
): Promise<Pick<UpstreamJob, 'corrected_cost_usd' | 'corrections'>> {
  const rows = await db
    .select({ nano: closingCorrections.amount_nano, entry: closingEntries })
    .from(closingCorrections)
    .innerJoin(closingEntries, eq(closingEntries.id, closingCorrections.entry_id))
    .where(eq(closingCorrections.generation_id, generationId))
    .orderBy(asc(closingEntries.seq));
  const creatorOf = await readCreators(
    { db },
    rows.map(({ entry }) => entry.created_by),
  );
  const isKnown = costMicroUsd !== null || rows.length > 0;
  const sum = rows.reduce((total, { nano }) => total + nano, (costMicroUsd ?? 0n) * NANO_PER_MICRO);
  return {
    corrected_cost_usd: isKnown ? formatNano(sum) : null,
    corrections: rows.map(({ nano, entry }) => {
      const { action, note } = parseSettlement(entry);
      const by = creatorOf(entry.created_by);
      return { amount_usd: formatNano(nano), month: entry.month, action, note, by, at: entry.created_at.toISOString() };
    }),
  };
}
