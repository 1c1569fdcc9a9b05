import { and, eq, isNull } from 'drizzle-orm';
import type { MediaKind } from '#contract/task.ts';
import type { Db, Tx } from '#server/db/db.ts';
import { assets, uploads } from '#server/db/schema.ts';

/** An asset or upload, whoever owns it. */
export interface StoredMedia {
  id: string;
  organization_id: string;
  type: MediaKind;
  mime_type: string;
  /** As the person named it; null for what was made here. */
  filename: string | null;
  storage_key: string;
  size_bytes: number;
  created_at: Date;
  /** Hex. */
  sha256: string;
  duration_seconds: number | null;
}

/**
 * The asset (`ast_…`) or upload (`upl_…`) of an id; null where there is none. The caller judges who may see it.
 * @param even_removed for a generation that took it before: it reads to its end what was removed meanwhile
 */
export async function findStoredMedia(
  db: Db | Tx,
  id: string,
  { even_removed = false } = {},
): Promise<StoredMedia | null> {
  if (id.startsWith('upl_')) {
    const there = even_removed ? undefined : isNull(uploads.removed_at);
    const [row] = await db
      .select()
      .from(uploads)
      .where(and(eq(uploads.id, id), there));
    return row ?? null;
  }
  const there = even_removed ? undefined : isNull(assets.removed_at);
  const [row] = await db
    .select()
    .from(assets)
    .where(and(eq(assets.id, id), there));
  return row ? { ...row, filename: null } : null;
}
