import type { Deps } from '#server/platform/deps.ts';
import { and, asc, inArray, sql } from 'drizzle-orm';
import { findContract } from '#contract/model-catalog.ts';
import { formatUsd } from '#contract/money/money.ts';
import type { QueryOf } from '#contract/api/endpoints.ts';
import type { MediaLineage } from '#contract/resources/media-lineage.ts';
import type { MediaKind } from '#contract/task.ts';
import { mediaUses } from '#server/platform/db/schema/library-schema.ts';
import { generationListColumns } from '#server/platform/db/generation-list-columns.ts';
import { assets, generations } from '#server/platform/db/schema/schema.ts';
import { extractReferences } from '#contract/task-input.ts';
import { PROMPT_EXCERPT_CHARACTERS, selectPrompt } from '#server/platform/db/select-prompt.ts';
import { findMediaRows } from '#server/studio/library/media-rows.ts';
import { presentMedia } from '#server/studio/library/present-media.ts';
import { findMediaRow } from '#server/studio/library/read-media.ts';
import { lineageDirections, traverseLineage } from './traverse-lineage.ts';
import type { Db } from '#server/platform/db/db.ts';
import { ledgerEntries } from '#server/platform/db/schema/billing-schema.ts';

type MediaNode = Extract<MediaLineage['nodes'][number], { kind: 'media' }>;
type GenerationNode = Extract<MediaLineage['nodes'][number], { kind: 'generation' }>;
type Edge = MediaLineage['edges'][number];
type Distances = ReadonlyMap<string, number>;

/** The graph of a medium's inputs and outputs, with its costs. @throws {ApiError} 404 `not_found` */
export async function readLineage(
  deps: Deps,
  organizationId: string,
  mediaId: string,
  bounds: QueryOf<'get_media_lineage'>,
): Promise<MediaLineage> {
  await findMediaRow(deps.db, organizationId, mediaId);
  const { distances, truncated } = await traverseLineage(lineageDirections(deps.db, organizationId), mediaId, bounds);
  const { edges, types, uses } = await readEdges(deps.db, distances);
  const generationNodes = await readGenerationNodes(deps, distances, uses);
  const media = await readMediaNodes(deps, organizationId, distances, types);
  const nodes = [...media, ...generationNodes.map(({ node }) => node)].sort(
    (a, b) => a.distance - b.distance || (a.id < b.id ? -1 : 1),
  );
  const sum = (counts: (distance: number) => boolean) =>
    formatUsd(generationNodes.reduce((all, { node, cost }) => (counts(node.distance) ? all + cost : all), 0n));
  const cost = {
    total_usd: sum(() => true),
    made_usd: sum((distance) => distance < 0),
    used_usd: sum((distance) => distance > 0),
  };
  return { object: 'media_lineage', id: mediaId, nodes, edges, truncated, cost };
}

const idsWithPrefix = (distances: Distances, prefix: string) =>
  [...distances.keys()].filter((id) => id.startsWith(prefix));

/** All edges between the nodes, even those that the traversal did not follow, with media kinds and use counts. */
async function readEdges(db: Db, distances: Distances) {
  const ids = idsWithPrefix(distances, 'gen_');
  const types = new Map<string, MediaKind>();
  const uses = new Map<string, number>();
  const edges: Edge[] = [];
  if (ids.length === 0) return { edges, types, uses };
  const usesRows = await db
    .select()
    .from(mediaUses)
    .where(inArray(mediaUses.generation_id, ids))
    .orderBy(asc(mediaUses.generation_id), asc(mediaUses.field));
  for (const { media_id, generation_id, field, media_type } of usesRows) {
    uses.set(generation_id, (uses.get(generation_id) ?? 0) + 1);
    types.set(media_id, media_type);
    if (distances.has(media_id)) edges.push({ from: media_id, to: generation_id, field });
  }
  const outputs = await db
    .select({ id: assets.id, generation_id: assets.generation_id, type: assets.type })
    .from(assets)
    .where(and(inArray(assets.generation_id, ids), inArray(assets.id, idsWithPrefix(distances, 'ast_'))))
    .orderBy(asc(assets.generation_id), asc(assets.position));
  for (const { id, generation_id, type } of outputs) {
    types.set(id, type);
    edges.push({ from: generation_id, to: id, field: null });
  }
  return { edges, types, uses };
}

async function readGenerationNodes(
  { db, offering }: Deps,
  distances: Distances,
  uses: ReadonlyMap<string, number>,
): Promise<{ node: GenerationNode; cost: bigint }[]> {
  const ids = idsWithPrefix(distances, 'gen_');
  if (ids.length === 0) return [];
  const rows = await db
    .select({ generation: generationListColumns, prompt: selectPrompt(PROMPT_EXCERPT_CHARACTERS) })
    .from(generations)
    .where(inArray(generations.id, ids));
  const charges = await readNetCharges(db, ids);
  return rows.map(({ generation, prompt }) => {
    const { id, task, model, status, billing_status, amount_micro_usd, input, created_at } = generation;
    const cost = billing_status === 'reserved' ? amount_micro_usd : (charges.get(id) ?? 0n);
    const contract = findContract(offering.current(), generation);
    const references = contract ? extractReferences(contract, input).length : 0;
    const node: GenerationNode = {
      distance: distances.get(id) ?? 0,
      kind: 'generation',
      id,
      task,
      model,
      status,
      prompt,
      amount_usd: formatUsd(cost),
      billing_status,
      external_references: Math.max(0, references - (uses.get(id) ?? 0)),
      created_at: created_at.toISOString(),
    };
    return { node, cost };
  });
}

async function readMediaNodes(
  deps: Deps,
  organizationId: string,
  distances: Distances,
  types: ReadonlyMap<string, MediaKind>,
): Promise<MediaNode[]> {
  const ids = [...idsWithPrefix(distances, 'ast_'), ...idsWithPrefix(distances, 'upl_')];
  const rows = await findMediaRows(deps.db, organizationId, ids);
  const items = new Map((await presentMedia(deps, [...rows.values()])).map((item) => [item.id, item]));
  return ids.flatMap((id) => {
    const media = items.get(id) ?? null;
    const type = media?.type ?? types.get(id);
    if (!type) return [];
    const origin = id.startsWith('upl_') ? 'upload' : 'generated';
    return [{ distance: distances.get(id) ?? 0, kind: 'media', id, origin, type, media }];
  });
}

/** Charges less refunds of generations in micro-dollars; generations without a charge are missing. */
async function readNetCharges(db: Db, generationIds: readonly string[]): Promise<Map<string, bigint>> {
  if (generationIds.length === 0) return new Map();
  const rows = await db
    .select({
      id: ledgerEntries.generation_id,
      charged: sql<string>`(-sum(${ledgerEntries.amount_micro_usd}))::text`,
    })
    .from(ledgerEntries)
    .where(
      and(inArray(ledgerEntries.generation_id, [...generationIds]), inArray(ledgerEntries.type, ['SETTLE', 'REFUND'])),
    )
    .groupBy(ledgerEntries.generation_id);
  return new Map(rows.flatMap(({ id, charged }) => (id === null ? [] : [[id, BigInt(charged)]])));
}
