import { and, eq, inArray } from 'drizzle-orm';
import type { Db, Tx } from '#server/db/db.ts';
import { assets, uploads } from '#server/db/schema.ts';
import { PROMPT_EXCERPT_CHARACTERS, type MediaRow, selectAssets, selectUploads } from './media-rows.ts';

/** The existing media of an organization by id. Unknown media and those of other organizations are missing alike. */
export async function findMediaRows(
  db: Pick<Db | Tx, 'select'>,
  organization_id: string,
  ids: readonly string[],
  prompt = PROMPT_EXCERPT_CHARACTERS,
): Promise<Map<string, MediaRow>> {
  const asset_ids = ids.filter((id) => id.startsWith('ast_'));
  const upload_ids = ids.filter((id) => id.startsWith('upl_'));
  const rows = [
    ...(asset_ids.length === 0
      ? []
      : await selectAssets(db, and(eq(assets.organization_id, organization_id), inArray(assets.id, asset_ids)), {
          limit: asset_ids.length,
          prompt,
        })),
    ...(upload_ids.length === 0
      ? []
      : await selectUploads(
          db,
          and(eq(uploads.organization_id, organization_id), inArray(uploads.id, upload_ids)),
          upload_ids.length,
        )),
  ];
  return new Map(rows.map((row) => [row.id, row]));
}
