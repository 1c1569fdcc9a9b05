import { type AnyColumn, type SQL, sql } from 'drizzle-orm';
import { generations } from '#server/platform/db/schema/schema.ts';
import { generationTags } from '#server/platform/db/schema/tag-schema.ts';

/** Matches rows that belong to generations with a value of a tag. @param tag value null: work without any */
export const hasTag = (
  organization_id: string,
  generation_id: AnyColumn,
  [name, value]: readonly [string, string | null],
): SQL =>
  value === null
    ? sql`(select not (untagged.tags ? ${name}) from ${generations} as untagged where untagged.id = ${generation_id})`
    : sql`exists (select from ${generationTags} as tag where tag.organization_id = ${organization_id}
        and tag.name = ${name} and tag.value = ${value} and tag.generation_id = ${generation_id})`;
