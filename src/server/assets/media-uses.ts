import { and, eq, inArray, sql } from 'drizzle-orm';
import type { UsedBy } from '#contract/resources/media.ts';
import type { Db, Tx } from '#server/db/db.ts';
import { mediaUses } from '#server/db/library-schema.ts';
import { generations } from '#server/db/schema.ts';

type MediaUseReader = Pick<Db | Tx, 'select' | 'selectDistinct'>;

/** Literally, so that the index over active generations serves. */
const ACTIVE_CONDITION = sql`${generations.status} in ('queued', 'running')`;
const MAX_LISTED_IDS = 20;
const newestGenerationIds = (which = sql``) => sql<string[]>`coalesce((array_agg(${mediaUses.generation_id}
  order by ${mediaUses.generation_id} desc) ${which})[1:${sql.raw(String(MAX_LISTED_IDS))}], '{}')`;

/** A medium's uses, and those of the generations that have not ended. */
export interface MediaUses extends UsedBy {
  /** The newest, twenty at most. */
  active_ids: string[];
}

/** How often media of an organization were used, by id; those that never were are in it too. */
export async function findMediaUses(
  db: MediaUseReader,
  organization_id: string,
  media_ids: readonly string[],
): Promise<Map<string, MediaUses>> {
  const none = { count: 0, active_count: 0, generation_ids: [], active_ids: [] };
  const uses = new Map<string, MediaUses>(media_ids.map((id) => [id, none]));
  if (media_ids.length === 0) return uses;
  // One generation may take a medium in several places, and counts once.
  const once = db
    .selectDistinct({ media_id: mediaUses.media_id, generation_id: mediaUses.generation_id })
    .from(mediaUses)
    .where(and(eq(mediaUses.organization_id, organization_id), inArray(mediaUses.media_id, [...media_ids])))
    .as('media_uses');
  const rows = await db
    .select({
      media_id: once.media_id,
      count: sql<number>`count(*)::int`,
      active_count: sql<number>`(count(*) filter (where ${ACTIVE_CONDITION}))::int`,
      generation_ids: newestGenerationIds(),
      active_ids: newestGenerationIds(sql`filter (where ${ACTIVE_CONDITION})`),
    })
    .from(once)
    .innerJoin(generations, eq(generations.id, once.generation_id))
    .groupBy(once.media_id);
  for (const { media_id, ...used } of rows) uses.set(media_id, used);
  return uses;
}

/** Those of the media that a generation needs which has not ended. */
export async function findMediaInUse(db: MediaUseReader, media_ids: readonly string[]): Promise<Set<string>> {
  if (media_ids.length === 0) return new Set();
  const rows = await db
    .selectDistinct({ media_id: mediaUses.media_id })
    .from(mediaUses)
    .innerJoin(generations, eq(generations.id, mediaUses.generation_id))
    .where(and(ACTIVE_CONDITION, inArray(mediaUses.media_id, [...media_ids])));
  return new Set(rows.map(({ media_id }) => media_id));
}
