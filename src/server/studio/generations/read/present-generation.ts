import { asc, inArray } from 'drizzle-orm';
import { formatUsd } from '#contract/money/money.ts';
import type { Asset, Generation } from '#contract/resources/generation.ts';
import type { Creator } from '#contract/primitives.ts';
import { readCreators } from '#server/accounts/keys/read-creators.ts';
import { readRefundedAmounts } from '#server/accounts/billing/refunded-amounts.ts';
import type { Deps } from '#server/platform/deps.ts';
import { assets } from '#server/platform/db/schema/schema.ts';
import { readDerivatives } from '#server/studio/assets/derivatives/read-derivatives.ts';
import { createMediaLink } from '#server/studio/assets/media-links.ts';
import { mediaName } from '#server/studio/assets/media-name.ts';
import { filesOf, readReceivedFiles } from '#server/studio/assets/received-files.ts';
import { mediaExpiresAt } from '#server/studio/assets/retention.ts';
import type { GenerationRow } from './generation-row.ts';

type AssetRow = typeof assets.$inferSelect;

/** In the same order. */
export async function presentGenerations(
  deps: Deps,
  rows: readonly { generation: GenerationRow }[],
): Promise<Generation[]> {
  // A canceled generation has outputs if its cancel came too late. Those of a review are held.
  const withOutputs = rows.filter(({ generation: { status } }) => status === 'succeeded' || status === 'canceled');
  const assetsByGeneration = await readOutputAssets(
    deps,
    withOutputs.map(({ generation }) => generation.id),
  );
  const filesByGeneration = await readReceivedFiles(
    deps,
    withOutputs.map(({ generation }) => generation.id),
  );
  const charged = rows.filter(
    ({ generation: { billing_status: status } }) => status === 'settled' || status === 'refunded',
  );
  const refunded = await readRefundedAmounts(
    deps,
    charged.map(({ generation }) => generation.id),
  );
  const creatorOf = await readCreators(
    deps,
    rows.map(({ generation }) => generation.created_by),
  );
  return rows.map(({ generation }) => {
    const creator = creatorOf(generation.created_by);
    const presented = presentWithoutAssets(generation, creator, refunded.get(generation.id));
    const assets = assetsByGeneration.get(generation.id) ?? [];
    return { ...presented, output: { ...presented.output, assets, ...filesOf(filesByGeneration, generation.id) } };
  });
}

export async function readOutputAssets(deps: Deps, generationIds: readonly string[]): Promise<Map<string, Asset[]>> {
  const assetsByGeneration = new Map<string, Asset[]>();
  if (generationIds.length === 0) return assetsByGeneration;
  const rows = await deps.db
    .select()
    .from(assets)
    .where(inArray(assets.generation_id, [...generationIds]))
    .orderBy(asc(assets.generation_id), asc(assets.position));
  const presented = await presentAssets(deps, rows);
  for (const [index, { generation_id }] of rows.entries()) {
    const asset = presented[index];
    if (asset) assetsByGeneration.set(generation_id, [...(assetsByGeneration.get(generation_id) ?? []), asset]);
  }
  return assetsByGeneration;
}

/**
 * The response form of a generation without its assets, whose links change over time.
 * @param refundedMicroUsd refunded part of its charge
 */
export function presentWithoutAssets(row: GenerationRow, createdBy: Creator, refundedMicroUsd = 0n): Generation {
  return {
    id: row.id,
    object: 'generation',
    status: row.status,
    model: row.model,
    ...(row.model_version === null ? {} : { model_version: row.model_version }),
    task: row.task,
    input: row.input,
    ...(row.input_truncated ? { input_truncated: true } : {}),
    progress: row.progress,
    ...(row.status === 'running' && row.provider_status ? { provider_status: row.provider_status } : {}),
    output: { assets: [], data: row.output_data },
    usage: {
      amount_usd: formatUsd(row.amount_micro_usd),
      line_items: row.line_items,
      billing_status: row.billing_status,
      refunded_usd: formatUsd(refundedMicroUsd),
    },
    error: row.error,
    metadata: row.metadata,
    ...(Object.keys(row.tags).length > 0 ? { tags: row.tags } : {}),
    retry_of: row.retry_of,
    workflow_run_id: row.workflow_run_id,
    batch_id: row.batch_id,
    created_by: createdBy,
    created_at: row.created_at.toISOString(),
    started_at: row.started_at?.toISOString() ?? null,
    updated_at: row.updated_at.toISOString(),
    completed_at: row.completed_at?.toISOString() ?? null,
  };
}

/** In the same order. */
export async function presentAssets(deps: Deps, rows: readonly AssetRow[]): Promise<Asset[]> {
  const derivatives = await readDerivatives(
    deps,
    rows.map(({ id }) => id),
  );
  return rows.map((row) => ({ ...presentWithoutDerivatives(deps, row), derivatives: derivatives.get(row.id) ?? null }));
}

/** The response form of an asset without its derivatives, which are created later. */
export function presentWithoutDerivatives(deps: Deps, row: AssetRow): Asset {
  return {
    id: row.id,
    type: row.type,
    ...createMediaLink(deps, row.id),
    mime_type: row.mime_type,
    width: row.width,
    height: row.height,
    duration_seconds: row.duration_seconds,
    size_bytes: row.size_bytes,
    kept_until: row.removed_at ? null : mediaExpiresAt(deps.config, row.created_at),
    removed_at: row.removed_at?.toISOString() ?? null,
    favourite: row.favourite,
    name: mediaName({ ...row, generation: { task: row.task, prompt: null } }),
  };
}
