import type { Estimate } from '#contract/money/estimate.ts';
import type { Generation } from '#contract/resources/generation.ts';
import type { PricedOrder } from '#server/accounts/billing/approval-limit.ts';
import type { TagValues } from '#server/accounts/tags/read-tag-values.ts';
import { assertTagsAllowed } from '#server/models/added-models/added-models.ts';
import type { ValidatedRequest } from '#server/models/catalog/validate-request.ts';
import type { WorkOwner } from '#server/platform/core/caller.ts';
import { createId } from '#server/platform/core/create-id.ts';
import { MAX_LISTED_INPUT_CHARACTERS, createListExcerpt } from '#server/platform/core/list-excerpt.ts';
import type { generations } from '#server/platform/db/schema/schema.ts';
import type { Deps } from '#server/platform/deps.ts';
import { sanitizeName } from '#server/studio/assets/media-name.ts';
import type { GenerationRow } from '#server/studio/generations/read/generation-row.ts';
import { presentWithoutAssets } from '#server/studio/generations/read/present-generation.ts';
import { selectLane } from '#server/studio/generations/send-generation-job.ts';

export interface NewGeneration {
  order: Pick<ValidatedRequest, 'task' | 'model' | 'model_version' | 'input'>;
  price: Pick<Estimate, 'amount_micro_usd' | 'line_items'>;
  metadata: Record<string, string> | null;
  tags: TagValues;
  /** For a retry: the generation it repeats and the first of the chain. */
  retry?: { of: string; chain_id: string };
  workflow_run_id?: string;
  batch_id?: string | null;
  output_name?: string | null;
  /** Of an added model, which needs no tags. */
  is_test?: boolean;
}

/** A generation that `writeGeneration` creates. */
export interface GenerationPlan extends PricedOrder {
  row: GenerationRow & typeof generations.$inferInsert;
  /** As it will be presented. */
  generation: Generation;
}

/** @throws {ApiError} 400 `model_not_allowed` */
export function planGeneration(
  deps: Deps,
  { organization_id, key_id, key_name, person = null }: WorkOwner,
  { order: { task, model, model_version, input }, price, metadata, tags, ...of }: NewGeneration,
): GenerationPlan {
  const { retry, workflow_run_id, batch_id, output_name = null, is_test = false } = of;
  if (!is_test) assertTagsAllowed(deps.offering.current(), model, tags);
  const now = deps.clock.now();
  const id = createId('gen', now);
  const row: GenerationPlan['row'] = {
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
    output_name: sanitizeName(output_name ?? '') || null,
    created_by: key_id,
    lane: selectLane(deps, task, model),
    // Assigned when it is written.
    turn: 0,
    created_at: now,
    updated_at: now,
    ...NOT_STARTED,
  };
  const creator = { id: key_id, name: key_name, person: person && { id: person.id, name: person.name } };
  return {
    amount_micro_usd: price.amount_micro_usd,
    is_bounded: true,
    input,
    row,
    generation: presentWithoutAssets(row, creator),
  };
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
