import { sql } from 'drizzle-orm';
import type { Tx } from '#server/db/db.ts';
import type { generations } from '#server/db/schema.ts';
import { generationTags, tagValues } from '#server/db/tag-schema.ts';

type TaggedGeneration = Pick<
  typeof generations.$inferSelect,
  'id' | 'organization_id' | 'tags' | 'created_by' | 'created_at'
>;

/** Indexes a new generation by its tags, and remembers their values for suggestions. The key must be locked. */
export async function indexTags(tx: Tx, generation: TaggedGeneration): Promise<void> {
  const { id, organization_id, created_by, created_at } = generation;
  const entries = Object.entries(generation.tags);
  if (entries.length === 0) return;
  await tx
    .insert(generationTags)
    .values(entries.map(([name, value]) => ({ organization_id, name, value, generation_id: id })));
  await tx
    .insert(tagValues)
    .values(entries.map(([name, value]) => ({ organization_id, name, value, created_by, last_used_at: created_at })))
    .onConflictDoUpdate({
      target: [tagValues.organization_id, tagValues.name, tagValues.created_by, tagValues.value],
      set: { last_used_at: created_at },
      setWhere: sql`${tagValues.last_used_at} < excluded.last_used_at - interval '1 hour'`,
    });
}
