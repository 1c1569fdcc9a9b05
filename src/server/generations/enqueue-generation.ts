import type { Estimate } from '#contract/estimate.ts';
import type { Generation } from '#contract/resources/generation.ts';
import { reserveFunds } from '#server/billing/fund-transfers.ts';
import type { WorkOwner } from '#server/core/caller.ts';
import type { Tx } from '#server/db/db.ts';
import { generations } from '#server/db/schema.ts';
import { MAX_LISTED_INPUT_CHARACTERS, createListExcerpt } from '#server/core/list-excerpt.ts';
import { recordMediaUses } from '#server/assets/record-media-uses.ts';
import { indexPrompt } from '#server/assets/search-text.ts';
import { indexTags } from '#server/tags/index-tags.ts';
import type { TagValues } from '#server/tags/read-tag-values.ts';
import { createId } from '#server/core/create-id.ts';
import { lockKey } from '#server/keys/lock-key.ts';
import { type GenerationJobDeps, sendGenerationJob, selectLane } from './send-generation-job.ts';
import type { ValidatedRequest } from '#server/catalog/validate-request.ts';
import { type PresentDeps, presentWithoutAssets } from './present-generation.ts';
import { assertFreeQuota, assignTurn } from './queue-turn.ts';

export interface NewGeneration {
  order: Pick<ValidatedRequest, 'task' | 'model' | 'input'>;
  price: Pick<Estimate, 'amount_micro_usd' | 'line_items'>;
  metadata: Record<string, string> | null;
  tags: TagValues;
  /** For a retry: the generation it repeats and the first of the chain. */
  retry?: { of: string; chain_id: string };
  workflow_run_id?: string;
  batch_id?: string | null;
}

/**
 * Inserts and enqueues a generation and reserves its price, in the caller's transaction.
 * @throws {ApiError} 402 `insufficient_balance`; 401 if the key was revoked; 429 if it has too many free generations
 * queued; 400 if a referenced medium was deleted after validation
 */
export async function enqueueGeneration(
  deps: PresentDeps & GenerationJobDeps,
  tx: Tx,
  caller: WorkOwner,
  { order, price, metadata, tags, retry, workflow_run_id, batch_id }: NewGeneration,
): Promise<Generation> {
  const now = deps.clock.now();
  const id = createId('gen', now);
  const lane = selectLane(deps, order.task, order.model);
  const [row] = await tx
    .insert(generations)
    .values({
      id,
      organization_id: caller.organization_id,
      task: order.task,
      model: order.model,
      status: 'queued',
      input: order.input,
      input_excerpt: createListExcerpt(order.input, MAX_LISTED_INPUT_CHARACTERS),
      metadata,
      tags,
      amount_micro_usd: price.amount_micro_usd,
      line_items: price.line_items,
      billing_status: 'reserved',
      chain_id: retry?.chain_id ?? id,
      retry_of: retry?.of ?? null,
      workflow_run_id: workflow_run_id ?? null,
      batch_id: batch_id ?? null,
      created_by: caller.key_id,
      lane,
      created_at: now,
      updated_at: now,
    })
    .returning();
  if (!row) throw new Error('A generation that was inserted has no row.');
  await recordMediaUses(deps, tx, row);
  await indexPrompt(tx, row);
  // Late, because other requests wait for these locks: those of the key, then those of the organization's account.
  await lockKey(tx, caller.key_id);
  await indexTags(tx, row);
  if (price.amount_micro_usd === 0n) await assertFreeQuota(deps.config, tx, caller.key_id);
  await sendGenerationJob(deps, tx, { ...row, turn: await assignTurn(tx, row) });
  await reserveFunds(tx, row, price.amount_micro_usd, now);
  const { key_id, key_name, person = null } = caller;
  return presentWithoutAssets(row, {
    id: key_id,
    name: key_name,
    person: person && { id: person.id, name: person.name },
  });
}
