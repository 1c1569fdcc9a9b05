import { eq } from 'drizzle-orm';
import type { MediaKind } from '#contract/task.ts';
import type { Db, Tx } from '../db/db.ts';
import { assets, uploads } from '../db/schema.ts';

/** An asset or upload, whoever owns it. */
export interface Medium {
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

/** The asset (`ast_…`) or upload (`upl_…`) of an id; null where there is none. The caller judges who may see it. */
export async function findMedium(db: Db | Tx, id: string): Promise<Medium | null> {
  if (id.startsWith('upl_')) {
    const [row] = await db.select().from(uploads).where(eq(uploads.id, id));
    return row ?? null;
  }
  const [row] = await db.select().from(assets).where(eq(assets.id, id));
  return row ? { ...row, filename: null } : null;
}
