import { type AnyColumn, type SQL, sql } from 'drizzle-orm';
import { mediaLabels } from '#server/platform/db/schema/collection-schema.ts';
import { assets } from '#server/platform/db/schema/schema.ts';
import { labelKey, normalizeLabel } from './normalize-label.ts';

const withLabel = (organization_id: string, text: string): SQL =>
  sql`${mediaLabels} as labeled where labeled.organization_id = ${organization_id}
    and labeled.label = ${labelKey(normalizeLabel(text) ?? '')} and labeled.media_id`;

/** Matches media with a label, in whatever case. An invalid one matches nothing. */
export const hasLabel = (media_id: AnyColumn, organization_id: string, text: string): SQL =>
  sql`exists (select from ${withLabel(organization_id, text)} = ${media_id})`;

/** Matches generations with such an output. */
export const hasLabeledOutput = (generation_id: AnyColumn, organization_id: string, text: string): SQL =>
  sql`exists (select from ${assets} as output where output.generation_id = ${generation_id}
    and output.removed_at is null and exists (select from ${withLabel(organization_id, text)} = output.id))`;
