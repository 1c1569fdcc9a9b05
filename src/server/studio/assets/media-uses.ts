import { and, eq, inArray, sql } from 'drizzle-orm';
import type { UsedBy } from '#contract/resources/media.ts';
import type { Db, Tx } from '#server/platform/db/db.ts';
import { mediaUses } from '#server/platform/db/schema/library-schema.ts';
import { generations } from '#server/platform/db/schema/schema.ts';

type MediaUseReader = Pick<Db | Tx, 'select' | 'selectDistinct'>;

/** Written as literals, because only then PostgreSQL uses the partial index on active generations. */
const ACTIVE_CONDITION = sql`${generations.status} in ('queued', 'running')`;
const MAX_LISTED_IDS = 20;
const newestGenerationIds = (which = sql``) => sql<string[]>`coalesce((array_agg(${mediaUses.generation_id}
  order by ${mediaUses.generation_id} desc) ${which})[1:${sql.raw(String(MAX_LISTED_IDS))}], '{}')`;

export interface MediaUses extends UsedBy {
  activeIds: string[];
}

/** The uses of an organization's media by id; unused media have a count of 0. */
export async function findMediaUses(
  db: MediaUseReader,
  organizationId: string,
  mediaIds: readonly string[],
): Promise<Map<string, MediaUses>> {
  const none = { count: 0, active_count: 0, generation_ids: [], activeIds: [] };
  const uses = new Map<string, MediaUses>(mediaIds.map((id) => [id, none]));
  if (mediaIds.length === 0) return uses;
  // A generation that references a medium in several fields counts once.
  const distinctUses = db
    .selectDistinct({ media_id: mediaUses.media_id, generation_id: mediaUses.generation_id })
    .from(mediaUses)
    .where(and(eq(mediaUses.organization_id, organizationId), inArray(mediaUses.media_id, [...mediaIds])))
    .as('media_uses');
  const rows = await db
    .select({
      media_id: distinctUses.media_id,
      count: sql<number>`count(*)::int`,
      active_count: sql<number>`(count(*) filter (where ${ACTIVE_CONDITION}))::int`,
      generation_ids: newestGenerationIds(),
      activeIds: newestGenerationIds(sql`filter (where ${ACTIVE_CONDITION})`),
    })
    .from(distinctUses)
    .innerJoin(generations, eq(generations.id, distinctUses.generation_id))
    .groupBy(distinctUses.media_id);
  for (const { media_id, ...counts } of rows) uses.set(media_id, counts);
  return uses;
}

export async function findMediaInUse(db: MediaUseReader, mediaIds: readonly string[]): Promise<Set<string>> {
  if (mediaIds.length === 0) return new Set();
  const rows = await db
    .selectDistinct({ media_id: mediaUses.media_id })
    .from(mediaUses)
    .innerJoin(generations, eq(generations.id, mediaUses.generation_id))
    .where(and(ACTIVE_CONDITION, inArray(mediaUses.media_id, [...mediaIds])));
  return new Set(rows.map(({ media_id }) => media_id));
}
