import type { Db } from '#server/platform/db/db.ts';
import { and, desc, eq, max, sql } from 'drizzle-orm';
import type { QueryOf } from '#contract/api/endpoints.ts';
import type { TagValue } from '#contract/resources/tag.ts';
import type { Caller } from '#server/platform/core/caller.ts';
import { tagValues } from '#server/platform/db/schema/tag-schema.ts';
import { madeBy } from '#server/platform/db/work-scope.ts';
import { scopeWork } from '#server/accounts/people/own-work.ts';

/** Bounds the work, however many values a tag has. */
const MAX_READ = 5_000;

/** Lists values of a tag that were used before, the latest first: by a caller who sees only their own work, their own. */
export async function suggestTagValues(
  db: Db,
  caller: Caller,
  tagName: string,
  { q, limit }: QueryOf<'list_tag_values'>,
): Promise<TagValue[]> {
  const recent = db
    .select({ value: tagValues.value, last_used_at: tagValues.last_used_at })
    .from(tagValues)
    .where(
      and(
        eq(tagValues.organization_id, caller.organization_id),
        eq(tagValues.name, tagName),
        madeBy(tagValues.created_by, scopeWork(caller, undefined)),
      ),
    )
    .orderBy(desc(tagValues.last_used_at))
    .limit(MAX_READ)
    .as('recent');
  const rows = await db
    .select({ value: recent.value, last_used_at: max(recent.last_used_at) })
    .from(recent)
    .where(q === undefined ? undefined : sql`position(lower(${q}) in lower(${recent.value})) > 0`)
    .groupBy(recent.value)
    .orderBy(desc(max(recent.last_used_at)), recent.value)
    .limit(limit);
  return rows.map(({ value }) => ({ object: 'tag_value', value }));
}
