import { and, eq, isNull } from 'drizzle-orm';
import type { MediaKind } from '#contract/task.ts';
import type { Db, Tx } from '#server/db/db.ts';
import { assets, uploads } from '#server/db/schema.ts';

export interface StoredMedia {
  id: string;
  organization_id: string;
  type: MediaKind;
  mime_type: string;
  filename: string | null;
  storage_key: string;
  size_bytes: number;
  created_at: Date;
  sha256: string;
  duration_seconds: number | null;
}

/**
 * The asset (`ast_…`) or upload (`upl_…`) with an id, or null. The caller checks access.
 * @param even_removed also finds media that were removed while a generation still uses them
 */
export async function findStoredMedia(
  db: Db | Tx,
  id: string,
  { even_removed = false } = {},
): Promise<StoredMedia | null> {
  if (id.startsWith('upl_')) {
    const is_present = even_removed ? undefined : isNull(uploads.removed_at);
    const [row] = await db
      .select()
      .from(uploads)
      .where(and(eq(uploads.id, id), is_present));
    return row ?? null;
  }
  const is_present = even_removed ? undefined : isNull(assets.removed_at);
  const [row] = await db
    .select()
    .from(assets)
    .where(and(eq(assets.id, id), is_present));
  return row ? { ...row, filename: null } : null;
}
