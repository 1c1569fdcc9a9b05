import { and, asc, desc, eq, inArray, not, sql } from 'drizzle-orm';
import type { Db } from '#server/db/db.ts';
import { mediaUses } from '#server/db/library-schema.ts';
import { assets, generations } from '#server/db/schema.ts';

/** One direction of the lineage graph: from media to adjacent generations and on to their media. */
export interface LineageDirection {
  /** -1: towards inputs. 1: towards outputs. */
  sign: -1 | 1;
  generations(media_ids: readonly string[], limit: number): Promise<string[]>;
  media(generation_ids: readonly string[], limit: number): Promise<string[]>;
}

/** Both directions for an organization's media. Failed and canceled generations are no part of the graph: they made nothing. */
export function lineageDirections(db: Db, organization_id: string): readonly LineageDirection[] {
  const towardsInputs: LineageDirection = {
    sign: -1,
    async generations(media_ids, limit) {
      const rows = await db
        .selectDistinct({ id: assets.generation_id })
        .from(assets)
        .where(and(eq(assets.organization_id, organization_id), inArray(assets.id, [...media_ids])))
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
            eq(mediaUses.organization_id, organization_id),
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
