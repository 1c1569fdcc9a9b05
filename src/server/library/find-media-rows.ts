import { and, eq, inArray } from 'drizzle-orm';
import type { Db, Tx } from '#server/db/db.ts';
import { assets, uploads } from '#server/db/schema.ts';
import { PROMPT_EXCERPT_CHARACTERS, type MediaRow, selectAssets, selectUploads } from './media-rows.ts';

/**
 * Those of the media that an organization has and has not removed, by id. One of another organization and one that never
 * was are both not in it.
 */
export async function findMediaRows(
  db: Pick<Db | Tx, 'select'>,
  organization_id: string,
  ids: readonly string[],
  prompt = PROMPT_EXCERPT_CHARACTERS,
): Promise<Map<string, MediaRow>> {
  const of_assets = ids.filter((id) => id.startsWith('ast_'));
  const of_uploads = ids.filter((id) => id.startsWith('upl_'));
  const rows = [
    ...(of_assets.length === 0
      ? []
      : await selectAssets(db, and(eq(assets.organization_id, organization_id), inArray(assets.id, of_assets)), {
          limit: of_assets.length,
          prompt,
        })),
    ...(of_uploads.length === 0
      ? []
      : await selectUploads(
          db,
          and(eq(uploads.organization_id, organization_id), inArray(uploads.id, of_uploads)),
          of_uploads.length,
        )),
  ];
  return new Map(rows.map((row) => [row.id, row]));
}
