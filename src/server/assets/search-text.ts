import { toSearchVector } from '#server/core/search-words.ts';
import type { Tx } from '#server/db/db.ts';
import { uploadSearchTexts } from '#server/db/library-schema.ts';

/** Call it in the transaction that inserts the upload. */
export async function indexFileName(tx: Tx, { id, filename }: { id: string; filename: string | null }): Promise<void> {
  if (filename !== null) await tx.insert(uploadSearchTexts).values({ upload_id: id, words: toSearchVector(filename) });
}
