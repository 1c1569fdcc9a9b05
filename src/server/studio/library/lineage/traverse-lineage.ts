import { and, asc, desc, eq, inArray, not, sql } from 'drizzle-orm';
import type { Db } from '#server/platform/db/db.ts';
import { mediaUses } from '#server/platform/db/schema/library-schema.ts';
import { assets, generations } from '#server/platform/db/schema/schema.ts';

interface LineageDirection {
  /** -1: towards inputs. 1: towards outputs. */
  sign: -1 | 1;
  generations(mediaIds: readonly string[], limit: number): Promise<string[]>;
  media(generation_ids: readonly string[], limit: number): Promise<string[]>;
}

/** Both directions for an organization's media. Failed and canceled generations are no part of the graph: they made nothing. */
export function lineageDirections(db: Db, organizationId: string): readonly LineageDirection[] {
  const towardsInputs: LineageDirection = {
    sign: -1,
    async generations(media_ids, limit) {
      const rows = await db
        .selectDistinct({ id: assets.generation_id })
        .from(assets)
        .where(and(eq(assets.organization_id, organizationId), inArray(assets.id, [...media_ids])))
        .orderBy(desc(assets.generation_id))
        .limit(limit);
      return rows.map(({ id }) => id);
    },
    async media(generation_ids, limit) {
      const rows = await db
        .selectDistinct({ id: mediaUses.media_id })
        .from(mediaUses)
        .where(inArray(mediaUses.generation_id, [...generation_ids]))
        .orderBy(desc(mediaUses.media_id))
        .limit(limit);
      return rows.map(({ id }) => id);
    },
  };
  const towardsOutputs: LineageDirection = {
    sign: 1,
    async generations(media_ids, limit) {
      const rows = await db
        .selectDistinct({ id: mediaUses.generation_id })
        .from(mediaUses)
        .innerJoin(generations, eq(generations.id, mediaUses.generation_id))
        .where(
          and(
            eq(mediaUses.organization_id, organizationId),
            inArray(mediaUses.media_id, [...media_ids]),
            sql`${generations.status} not in ('failed', 'canceled')`,
          ),
        )
        .orderBy(desc(mediaUses.generation_id))
        .limit(limit);
      return rows.map(({ id }) => id);
    },
    async media(generation_ids, limit) {
      const rows = await db
        .select({ id: assets.id })
        .from(assets)
        .where(and(inArray(assets.generation_id, [...generation_ids]), not(assets.held)))
        .orderBy(desc(assets.generation_id), asc(assets.position))
        .limit(limit);
      return rows.map(({ id }) => id);
    },
  };
  return [towardsInputs, towardsOutputs];
}

interface TraversedLineage {
  /** Media and generations by id, each with its distance: see `MediaLineage`. */
  distances: Map<string, number>;
  truncated: boolean;
}

interface Traversal {
  direction: LineageDirection;
  frontier: readonly string[];
}

/** @param depth generations in a row in each direction @param limit maximum number of nodes */
export async function traverseLineage(
  directions: readonly LineageDirection[],
  mediaId: string,
  { depth, limit }: { depth: number; limit: number },
): Promise<TraversedLineage> {
  const distances = new Map([[mediaId, 0]]);
  let truncated = false;
  const addNodes = (ids: readonly string[], distance: number): string[] => {
    const fresh = ids.filter((id) => !distances.has(id));
    const added = fresh.slice(0, limit - distances.size);
    if (added.length < fresh.length) truncated = true;
    for (const id of added) distances.set(id, distance);
    return added;
  };
  // One more than the limit shows that the graph is truncated. Known nodes do not count.
  const maxRows = limit + 1;
  let traversals: Traversal[] = directions.map((direction) => ({ direction, frontier: [mediaId] }));
  for (let level = 1; traversals.length > 0; level += 1) {
    const next: Traversal[] = [];
    for (const { direction, frontier } of traversals) {
      const { sign } = direction;
      const adjacent = await direction.generations(frontier, maxRows);
      if (level > depth) {
        if (adjacent.some((id) => !distances.has(id))) truncated = true;
        continue;
      }
      const generationIds = addNodes(adjacent, sign * (2 * level - 1));
      if (generationIds.length === 0) continue;
      const media = addNodes(await direction.media(generationIds, maxRows), sign * 2 * level);
      if (media.length > 0) next.push({ direction, frontier: media });
    }
    traversals = next;
  }
  return { distances, truncated };
}
