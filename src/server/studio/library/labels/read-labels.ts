import { and, asc, eq, exists, inArray, like, or, sql } from 'drizzle-orm';
import type { MediaLabel } from '#contract/resources/media-label.ts';
import { mediaLabels } from '#server/platform/db/schema/collection-schema.ts';
import type { Db, Tx } from '#server/platform/db/db.ts';
import { assets, uploads } from '#server/platform/db/schema/schema.ts';
import { madeBy, type WorkScope } from '#server/platform/db/work-scope.ts';
import { outputOf } from '#server/accounts/people/own-work.ts';
import { labelKey, normalizeLabel } from '#server/studio/assets/normalize-label.ts';

/** The labels of media as they were typed, in alphabetical order. Media without labels are missing. */
export async function readLabels(
  db: Pick<Db | Tx, 'select'>,
  mediaIds: readonly string[],
): Promise<Map<string, string[]>> {
  const labels = new Map<string, string[]>();
  if (mediaIds.length === 0) return labels;
  const rows = await db
    .select({ media_id: mediaLabels.media_id, label: mediaLabels.text })
    .from(mediaLabels)
    .where(inArray(mediaLabels.media_id, [...mediaIds]))
    .orderBy(asc(mediaLabels.label));
  for (const { media_id, label } of rows) labels.set(media_id, [...(labels.get(media_id) ?? []), label]);
  return labels;
}

/** The labels in use, in alphabetical order: of all media, or of the caller's own where they see no other. */
export async function listLabels(
  db: Db,
  scope: WorkScope,
  { q, limit }: { q?: string | undefined; limit: number },
): Promise<MediaLabel[]> {
  const part = q === undefined ? null : normalizeLabel(q);
  const one = { one: sql`1` };
  const ofAsset = and(eq(assets.id, mediaLabels.media_id), outputOf(scope));
  const ofUpload = and(eq(uploads.id, mediaLabels.media_id), madeBy(uploads.created_by, scope));
  const rows = await db
    .selectDistinct({ key: mediaLabels.label, label: mediaLabels.text })
    .from(mediaLabels)
    .where(
      and(
        eq(mediaLabels.organization_id, scope.organization_id),
        part === null
          ? undefined
          : like(mediaLabels.label, `%${labelKey(part).replaceAll(/[\\%_]/g, String.raw`\$&`)}%`),
        scope.person_id === null
          ? undefined
          : or(
              exists(db.select(one).from(assets).where(ofAsset)),
              exists(db.select(one).from(uploads).where(ofUpload)),
            ),
      ),
    )
    .orderBy(asc(mediaLabels.label))
    .limit(limit);
  return rows.map(({ label }) => ({ object: 'media_label', label }));
}
