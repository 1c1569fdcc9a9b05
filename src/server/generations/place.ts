import type { Estimate } from '#contract/estimate.ts';
import type { Generation } from '#contract/resources/generation.ts';
import { reserve } from '../billing/move-funds.ts';
import type { Caller } from '../caller.ts';
import type { Tx } from '../db/db.ts';
import { generations } from '../db/schema.ts';
import { MAX_LISTED_INPUT_CHARACTERS, excerptOf } from '../excerpt.ts';
import { recordUses } from '../library/record-uses.ts';
import { recordWords } from '../library/record-words.ts';
import { newId } from '../new-id.ts';
import { lockKey } from '../keys/lock-key.ts';
import { type Enqueuing, enqueue, laneOf } from './enqueue.ts';
import type { Order } from './order.ts';
import { type Presenting, presentWithoutAssets } from './present.ts';
import { assertRoomForFree, takeTurn } from './turn.ts';

export interface Placement {
  order: Pick<Order, 'task' | 'model' | 'input'>;
  price: Pick<Estimate, 'amount_micro_usd' | 'line_items'>;
  metadata: Record<string, string> | null;
  /** Of a retry: the one it repeats, and the first of the chain. */
  retry?: { of: string; chain_id: string };
  /** The run that it is a step of. */
  workflow_run_id?: string;
}

/**
 * Puts a generation into the queue and reserves its price, in the caller's transaction.
 * @throws {ApiError} 402 `insufficient_balance`; 401 where the key was revoked; 429 where it has too many free ones queued;
 * 400 when a referenced asset was deleted after validation
 */
export async function placeGeneration(
  deps: Presenting & Enqueuing,
  tx: Tx,
  caller: Omit<Caller, 'kind'>,
  { order, price, metadata, retry, workflow_run_id }: Placement,
): Promise<Generation> {
  const now = deps.clock.now();
  const id = newId('gen', now);
  const lane = laneOf(deps, order.task, order.model);
  const [row] = await tx
    .insert(generations)
    .values({
      id,
      organization_id: caller.organization_id,
      task: order.task,
      model: order.model,
      status: 'queued',
      input: order.input,
      input_excerpt: excerptOf(order.input, MAX_LISTED_INPUT_CHARACTERS),
      metadata,
      amount_micro_usd: price.amount_micro_usd,
      line_items: price.line_items,
      billing_status: 'reserved',
      chain_id: retry?.chain_id ?? id,
      retry_of: retry?.of ?? null,
      workflow_run_id: workflow_run_id ?? null,
      created_by: caller.key_id,
      lane,
      created_at: now,
      updated_at: now,
    })
    .returning();
  if (!row) throw new Error('A generation that was inserted has no row.');
  await recordUses(deps, tx, row);
  await recordWords(tx, row);
  // Late: all others of the key wait for this lock, and all others of the organization for that of the account.
  await lockKey(tx, caller.key_id);
  if (price.amount_micro_usd === 0n) await assertRoomForFree(deps.config, tx, caller.key_id);
  await enqueue(deps, tx, { ...row, turn: await takeTurn(tx, row) });
  await reserve(tx, row, price.amount_micro_usd, now);
  return presentWithoutAssets(row, caller.key_name);
}
