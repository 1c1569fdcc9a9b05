import type { Estimate } from '#contract/estimate.ts';
import type { Generation } from '#contract/resources/generation.ts';
import type { Deps } from '#server/platform/deps.ts';
import type { WorkOwner } from '#server/platform/core/caller.ts';
import type { Tx } from '#server/platform/db/db.ts';
import type { generations } from '#server/platform/db/schema.ts';
import { MAX_LISTED_INPUT_CHARACTERS, createListExcerpt } from '#server/platform/core/list-excerpt.ts';
import { lockUsedMedia } from '#server/studio/assets/lock-used-media.ts';
import type { TagValues } from '#server/accounts/tags/read-tag-values.ts';
import { createId } from '#server/platform/core/create-id.ts';
import { selectLane, sendGenerationJob } from './send-generation-job.ts';
import { assertTagsAllowed } from '#server/models/added-models/added-models.ts';
import type { ValidatedRequest } from '#server/models/catalog/validate-request.ts';
import type { GenerationRow } from './generation-row.ts';
import { presentWithoutAssets } from './present-generation.ts';
import { assertFreeQuota } from './queue-turn.ts';
import { sql } from 'drizzle-orm';
import { draftReservation } from '#server/accounts/billing/fund-transfers.ts';
import { toBillingError } from '#server/accounts/billing/billing-errors.ts';
import type { mediaUses } from '#server/platform/db/library-schema.ts';
import { newWorkWords } from '#server/studio/assets/search-text.ts';
import { withKeyLock } from '#server/accounts/keys/lock-key.ts';

export interface NewGeneration {
  order: Pick<ValidatedRequest, 'task' | 'model' | 'model_version' | 'input'>;
  price: Pick<Estimate, 'amount_micro_usd' | 'line_items'>;
  metadata: Record<string, string> | null;
  tags: TagValues;
  /** For a retry: the generation it repeats and the first of the chain. */
  retry?: { of: string; chain_id: string };
  workflow_run_id?: string;
  batch_id?: string | null;
  /** Of an added model, which needs no tags. */
  is_test?: boolean;
}

/** A new generation before its insert. */
export interface GenerationDraft {
  row: GenerationRow & typeof generations.$inferInsert;
  /** As it will be presented. */
  generation: Generation;
}

/** @throws {ApiError} 400 `model_not_allowed` */
export function draftGeneration(
  deps: Deps,
  { organization_id, key_id, key_name, person = null }: WorkOwner,
  { order: { task, model, model_version, input }, price, metadata, tags, ...of }: NewGeneration,
): GenerationDraft {
  const { retry, workflow_run_id, batch_id, is_test = false } = of;
  if (!is_test) assertTagsAllowed(deps.offering.current(), model, tags);
  const now = deps.clock.now();
  const id = createId('gen', now);
  const row: GenerationDraft['row'] = {
    id,
    organization_id,
    task,
    model,
    model_version,
    status: 'queued',
    input,
    input_excerpt: createListExcerpt(input, MAX_LISTED_INPUT_CHARACTERS),
    metadata,
    tags,
    amount_micro_usd: price.amount_micro_usd,
    line_items: price.line_items,
    billing_status: 'reserved',
    chain_id: retry?.chain_id ?? id,
    retry_of: retry?.of ?? null,
    workflow_run_id: workflow_run_id ?? null,
    batch_id: batch_id ?? null,
    created_by: key_id,
    lane: selectLane(deps, task, model),
    // Assigned when it is stored.
    turn: 0,
    created_at: now,
    updated_at: now,
    ...NOT_STARTED,
  };
  const creator = { id: key_id, name: key_name, person: person && { id: person.id, name: person.name } };
  return { row, generation: presentWithoutAssets(row, creator) };
}

const NOT_STARTED = {
  progress: null,
  provider_status: null,
  output_data: null,
  error: null,
  lease_owner: null,
  lease_expires_at: null,
  attempts: 0,
  storage_failed_at: null,
  cancel_requested: false,
  started_at: null,
  completed_at: null,
} as const;

/** Drafts and enqueues a generation. @throws {ApiError} like `enqueueDraft` */
export async function enqueueGeneration(
  deps: Deps,
  tx: Tx,
  caller: WorkOwner,
  generation: NewGeneration,
): Promise<Generation> {
  const draft = draftGeneration(deps, caller, generation);
  await enqueueDraft(deps, tx, draft);
  return draft.generation;
}

/**
 * Stores a drafted generation, in the caller's transaction.
 * @throws {ApiError} like `storeGeneration`; 429 if its key has too many free generations queued; 400 if a referenced
 * medium was deleted after validation
 */
export async function enqueueDraft(deps: Deps, tx: Tx, { row, generation }: GenerationDraft): Promise<void> {
  const uses = await lockUsedMedia(deps, tx, row);
  const { person, name } = generation.created_by;
  const words = await newWorkWords(deps, tx, { ...row, creator: person?.name ?? name });
  const turn = await storeGeneration(tx, row, words, uses);
  await sendGenerationJob(deps, tx, { ...row, turn });
  if (row.amount_micro_usd === 0n) await assertFreeQuota(deps.config, tx, row.created_by);
}

type MediaUse = Omit<typeof mediaUses.$inferInsert, 'generation_id' | 'organization_id'>;

/**
 * Stores a new generation with its words, tags and uses of media, and reserves its price. Other requests wait from here
 * on for its key and its account.
 * @returns its turn in the queue
 * @throws {ApiError} 401 if the key was revoked; 402 `insufficient_balance`
 */
export async function storeGeneration(
  tx: Tx,
  row: GenerationRow,
  words: string,
  uses: readonly MediaUse[],
): Promise<number> {
  const usesJson = uses.length > 0 ? toJson(uses) : null;
  const reservation = await draftReservation(tx, row, row.amount_micro_usd, row.created_at);
  const call = sql`select store_generation(${toJson(row)}, ${words}, ${usesJson}, ${reservation && toJson(reservation)}) as turn`;
  try {
    const { rows } = (await withKeyLock(tx.execute(call))) as { rows: { turn: number }[] };
    return rows[0]?.turn ?? 0;
  } catch (error) {
    throw toBillingError(error);
  }
}

/** As the database reads it: amounts as text, because JSON numbers are inexact. */
const toJson = (value: unknown): string =>
  JSON.stringify(value, (_name, part: unknown) => (typeof part === 'bigint' ? part.toString() : part));
