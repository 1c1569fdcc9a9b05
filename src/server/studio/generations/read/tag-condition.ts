import { type AnyColumn, type SQL, sql } from 'drizzle-orm';
import { generations } from '#server/platform/db/schema/schema.ts';
import { generationTags } from '#server/platform/db/schema/tag-schema.ts';

/** Matches rows that belong to generations with a value of a tag. @param tag value null: work without any */
export const hasTag = (
  organizationId: string,
  generationId: AnyColumn,
  [name, value]: readonly [string, string | null],
): SQL =>
  value === null
    ? sql`(select not (untagged.tags ? ${name}) from ${generations} as untagged where untagged.id = ${generationId})`
    : sql`exists (select from ${generationTags} as tag where tag.organization_id = ${organizationId}
        and tag.name = ${name} and tag.value = ${value} and tag.generation_id = ${generationId})`;
