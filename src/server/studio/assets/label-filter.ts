import { type AnyColumn, type SQL, sql } from 'drizzle-orm';
import { mediaLabels } from '#server/platform/db/schema/collection-schema.ts';
import { assets } from '#server/platform/db/schema/schema.ts';
import { labelKey, normalizeLabel } from './normalize-label.ts';

const withLabel = (organizationId: string, text: string): SQL =>
  sql`${mediaLabels} as labeled where labeled.organization_id = ${organizationId}
    and labeled.label = ${labelKey(normalizeLabel(text) ?? '')} and labeled.media_id`;

/** Matches media with a label, in whatever case. An invalid one matches nothing. */
export const hasLabel = (mediaId: AnyColumn, organizationId: string, text: string): SQL =>
  sql`exists (select from ${withLabel(organizationId, text)} = ${mediaId})`;

/** Matches generations with such an output. */
export const hasLabeledOutput = (generationId: AnyColumn, organizationId: string, text: string): SQL =>
  sql`exists (select from ${assets} as output where output.generation_id = ${generationId}
    and output.removed_at is null and exists (select from ${withLabel(organizationId, text)} = output.id))`;
