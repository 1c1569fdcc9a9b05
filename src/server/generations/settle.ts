import { eq } from 'drizzle-orm';
import { estimate } from '#contract/estimate.ts';
import type { PriceBook } from '#contract/pricing.ts';
import { release, settle } from '../billing/move-funds.ts';
import type { Deps } from '../deps.ts';
import { assets, generations } from '../db/schema.ts';
import type { EngineResult, ResolvedReference } from '../engines/engine.ts';
import type { Failure } from './failure.ts';
import type { Lease } from './lease.ts';
import { lengthsOf } from './media-rules.ts';
import { moveGeneration } from './move.ts';
import type { GenerationRow } from './present.ts';
import type { AssetDraft } from './store-outputs.ts';

type Settling = Pick<Deps, 'db' | 'clock' | 'prices'>;

/**
 * Ends a generation well: its assets, its status and its charge, in one transaction.
 * @returns false where another outcome won; nothing was changed then
 */
export async function settleSucceeded(
  { db, clock, prices }: Settling,
  { row, owner }: Lease,
  outcome: {
    outputs: readonly AssetDraft[];
    data: Record<string, unknown> | null;
    references: readonly ResolvedReference[];
    used?: EngineResult['used'];
  },
): Promise<boolean> {
  const now = clock.now();
  const charge = chargeFor(prices, row, outcome.references, outcome.used);
  return db.transaction(async (tx) => {
    const ended = await moveGeneration(
      tx,
      row.id,
      'succeeded',
      {
        ...charge,
        progress: 1,
        output_data: outcome.data,
        billing_status: 'settled',
        completed_at: now,
        updated_at: now,
      },
      eq(generations.lease_owner, owner),
    );
    if (!ended) return false;
    if (outcome.outputs.length > 0) await tx.insert(assets).values([...outcome.outputs]);
    const funds = { reserved_micro_usd: row.amount_micro_usd, charge_micro_usd: charge.amount_micro_usd };
    await settle(tx, ended, funds, now);
    return true;
  });
}

/** Ends a generation badly and gives its reservation back. @returns false where another outcome won */
export async function settleFailed(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  { row, owner }: Lease,
  error: Failure,
): Promise<boolean> {
  const now = clock.now();
  return db.transaction(async (tx) => {
    const ended = await moveGeneration(
      tx,
      row.id,
      'failed',
      { error, progress: null, billing_status: 'released', completed_at: now, updated_at: now },
      eq(generations.lease_owner, owner),
    );
    if (ended) await release(tx, ended, ended.amount_micro_usd, now);
    return ended !== null;
  });
}

/** The price by what the media really are and what the model chose, but never more than was reserved. Decision: Prices */
function chargeFor(
  prices: PriceBook,
  row: GenerationRow,
  references: readonly ResolvedReference[],
  used: EngineResult['used'],
): Pick<GenerationRow, 'amount_micro_usd' | 'line_items'> {
  const known = new Map(references.map(({ path, media }) => [path, media]));
  const { amount_micro_usd, line_items } = estimate(prices, row.task, row.model, row.input, {
    ...lengthsOf(known),
    ...(used ? { used } : {}),
  });
  return amount_micro_usd < row.amount_micro_usd
    ? { amount_micro_usd, line_items }
    : { amount_micro_usd: row.amount_micro_usd, line_items: row.line_items };
}
